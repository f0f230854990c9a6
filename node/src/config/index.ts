/**
 * Configuration and the home directory: app.toml, config.toml, genesis, what `init` writes.
 * Owns: the tables of keys, what holds between them. Does not own: what a key does.
 * Invariants: one table drives everything about a file; nothing on disk changes while reading; keys and the
 * last-sign state are never overwritten.
 */

export { APP_TABLE, type AppConfig } from './appSettings/appTable.ts';
export { cometEnvironment } from './cometEnvironment.ts';
export { editAppToml, editConfigToml } from './editSettings.ts';
export { DEFAULT_CHAIN_ID, initialiseHome } from './home/initialiseHome.ts';
export { keepLayout } from './home/layoutSettings.ts';
export { joinPeers, placeSettings } from './home/placeSettings.ts';
export { keepSignFloor, refuseOtherKey } from './home/signFloor.ts';
export { loadConfig, type NodeConfig, parseConfigToml, rewriteCometConfig } from './loadConfig.ts';
export { type FileMigration, planMigration, writeMigration } from './migration/migrateConfig.ts';
export { configReference } from './referencePage.ts';
