import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readBlocks } from './blockFile.ts';
import { openStateMachine } from './stateMachine.ts';

/** A process of its own runs the blocks of a file, and prints a line for each. */
interface Setting {
  readonly file: string;
  readonly engine: 'wasm' | 'reference';
  /** Runs all of them once before, on another state. */
  readonly isWarm: boolean;
  readonly inWorker: boolean;
}

const setting: Setting = isMainThread ? (JSON.parse(process.argv[2]!) as Setting) : (workerData as Setting);
if (setting.inWorker && isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: setting });
  worker.on('message', (line: string) => process.stdout.write(line));
} else {
  if (setting.isWarm) await run(() => undefined);
  await run((line) => {
    if (parentPort) parentPort.postMessage(`${line}\n`);
    else process.stdout.write(`${line}\n`);
  });
}

async function run(onLine: (line: string) => void): Promise<void> {
  const machine = await openStateMachine(setting.engine);
  for (const block of readBlocks(setting.file)) onLine((await machine.run(block)).line);
  await machine.close();
}
