import { Configuration, ConfigurationError } from './configuration.js';

const parse = (env: NodeJS.ProcessEnv) => Configuration.fromEnvironment({ APP_ENV: 'test', ...env }).values;
const problems = (env: NodeJS.ProcessEnv): Record<string, string> => {
  try {
    parse({ BLOB_STORAGE: 's3', ...env });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return Object.fromEntries(error.problems.map(({ variable, sentence }) => [variable, sentence]));
  }
  return {};
};

describe('platform 15.3: variables of blob storage', () => {
  it('keeps files on this machine until told otherwise', () => {
    expect(parse({ BLOB_STORAGE_BUCKET: 'unused' })).toMatchObject({
      blobStorage: 'local',
      blobBucket: null,
    });
  });

  it('takes an S3-compatible store by its address', () => {
    expect(
      parse({
        BLOB_STORAGE: 's3',
        BLOB_STORAGE_BUCKET: 'loupe-files',
        BLOB_STORAGE_PREFIX: '/acme/loupe/',
        BLOB_STORAGE_ENDPOINT: 'http://minio:9000/',
        BLOB_STORAGE_KEY: 'key',
        BLOB_STORAGE_SECRET: 'secret',
        BLOB_STORAGE_USE_PATH_STYLE: '1',
        BLOB_STORAGE_ACL: 'private',
      }),
    ).toMatchObject({
      blobStorage: 's3',
      blobBucket: {
        bucket: 'loupe-files',
        prefix: 'acme/loupe/',
        region: 'us-east-1',
        endpoint: 'http://minio:9000',
        credentials: { key: 'key', secret: 'secret' },
        pathStyle: true,
        acl: 'private',
      },
    });
  });

  it('takes a bucket at Amazon by its region, with the role of the machine', () => {
    expect(
      parse({ BLOB_STORAGE: 's3', BLOB_STORAGE_BUCKET: 'loupe-files', BLOB_STORAGE_REGION: 'eu-central-1' })
        .blobBucket,
    ).toEqual({
      bucket: 'loupe-files',
      prefix: '',
      region: 'eu-central-1',
      endpoint: null,
      credentials: null,
      pathStyle: false,
      acl: null,
    });
  });

  it('names everything that is wrong at once, and no secret', () => {
    expect(Object.keys(problems({})).sort()).toEqual(['BLOB_STORAGE_BUCKET', 'BLOB_STORAGE_REGION']);
    const all = problems({
      BLOB_STORAGE_BUCKET: 'Not A Bucket',
      BLOB_STORAGE_PREFIX: 'a/../b',
      BLOB_STORAGE_ENDPOINT: 'https://key:hidden@s3.example.com',
      BLOB_STORAGE_SECRET: 'hidden',
      BLOB_STORAGE_USE_PATH_STYLE: 'maybe',
      BLOB_STORAGE_ACL: 'public-read',
    });
    expect(Object.keys(all).sort()).toEqual([
      'BLOB_STORAGE_ACL',
      'BLOB_STORAGE_BUCKET',
      'BLOB_STORAGE_ENDPOINT',
      'BLOB_STORAGE_KEY',
      'BLOB_STORAGE_PREFIX',
      'BLOB_STORAGE_USE_PATH_STYLE',
    ]);
    expect(JSON.stringify(all)).not.toContain('hidden');
  });
});
