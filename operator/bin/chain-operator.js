#!/usr/bin/env node
// Only node: imports and plain JavaScript up to here: it must start on any Node.
import { launch } from '@chain/platform/launch';

await launch({ name: 'chain-operator', file: import.meta.url, main: () => import('../src/main.ts') });
