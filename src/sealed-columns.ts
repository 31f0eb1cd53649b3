import type { SealedColumn } from '#libs/persistence/sealed-columns.js';
import { sealedColumns as ofGeneration } from './artifacts/generation/infrastructure/sealed-columns.js';
import { sealedColumns as ofIdentity } from './identity/infrastructure/sealed-columns.js';
import { sealedColumns as ofPlatform } from './platform/infrastructure/sealed-columns.js';

/** Every column of the product that holds sealed values. A test looks for others in a database in use. */
export const sealedColumns: readonly SealedColumn[] = [...ofPlatform, ...ofIdentity, ...ofGeneration];
