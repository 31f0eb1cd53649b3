import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Folder of what suites share: a PostgreSQL, and databases that are ready to be copied. It stays between runs. */
export const sharedVarDir = join(tmpdir(), `loupe-tests-${userInfo().uid}`);
