// Nest 12 and several libraries are ESM only, while Jest's own ESM mode does not hold on Node 20.
// So Jest runs in CommonJS mode and SWC transforms the ESM packages too.

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/quiet-notices.cjs'],
  extensionsToTreatAsEsm: [],
  moduleNameMapper: {
    '^#(libs|src|migrations)/(.*)\\.js$': '<rootDir>/$1/$2',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '\\.(ts|tsx|js|mjs)$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs', ignoreDynamic: false },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true, dynamicImport: true, tsx: false },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
      },
    ],
  },
  transformIgnorePatterns: ['\\.cjs$', '/node_modules/(typeorm|pg|express|jest|@swc|zod|rxjs|typescript)/'],
};

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      rootDir: __dirname,
      testMatch: ['<rootDir>/{src,libs,migrations}/**/*.spec.ts'],
      modulePathIgnorePatterns: ['<rootDir>/dist'],
    },
    {
      ...shared,
      displayName: 'system',
      rootDir: __dirname,
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      modulePathIgnorePatterns: ['<rootDir>/dist'],
    },
  ],
  testTimeout: 60_000,
  // Most of the time of a suite is waiting: for a process to start, a browser, a disk, a limit to pass. Three at once fill
  // two cores.
  maxWorkers: 3,
  // A failed test may leave a connection open; the run must end all the same.
  forceExit: true,
};
