import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { BlobBucketSettings } from '#libs/configuration/blob-bucket.js';
import { etag, S3Bucket, S3Refusal } from './s3-bucket.js';
import { signatureFault } from './s3-signature.js';

const BUCKET = 'loupe-files';
const KEY = 'loupe-test-key';
const SECRET = 'loupe/test+secret';
const OCTETS = 'application/octet-stream';

interface Request {
  readonly message: IncomingMessage;
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/**
 * The part of S3 that Loupe uses, on the loopback, with one bucket in memory: as strict as the strictest stores. It
 * checks every signature, takes no trailing checksums, and shows no object before it is complete.
 */
export class S3Server {
  private readonly bucketContent = new S3Bucket();

  private constructor(
    private server: Server,
    private readonly port: number,
  ) {}

  static async start(): Promise<S3Server> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const s3 = new S3Server(server, (server.address() as AddressInfo).port);
    server.on('request', s3.handle);
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How to reach the bucket; `more` says what is different. */
  bucket(more: Partial<BlobBucketSettings> = {}): BlobBucketSettings {
    return {
      bucket: BUCKET,
      prefix: 'team/',
      region: 'us-east-1',
      endpoint: this.endpoint,
      credentials: { key: KEY, secret: SECRET },
      pathStyle: true,
      acl: null,
      ...more,
    };
  }

  /** The same as variables of a process. */
  get env(): Record<string, string> {
    return {
      BLOB_STORAGE: 's3',
      BLOB_STORAGE_BUCKET: BUCKET,
      BLOB_STORAGE_PREFIX: 'team',
      BLOB_STORAGE_ENDPOINT: this.endpoint,
      BLOB_STORAGE_KEY: KEY,
      BLOB_STORAGE_SECRET: SECRET,
      BLOB_STORAGE_USE_PATH_STYLE: 'true',
    };
  }

  /** Keys of all objects, with their prefix. */
  get keys(): string[] {
    return [...this.bucketContent.objects.keys()].sort();
  }

  /** How many uploads in parts are neither complete nor thrown away. */
  get openUploads(): number {
    return this.bucketContent.uploads.size;
  }

  /** Nobody listens any more; the objects stay. */
  async goAway(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** Listens on the same address again. */
  async comeBack(): Promise<void> {
    this.server = createServer(this.handle).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    if (this.server.listening) await this.goAway();
  }

  private readonly handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const body = await buffer(message);
      if (String(message.headers['x-amz-content-sha256']).startsWith('STREAMING-')) {
        throw new S3Refusal(501, 'NotImplemented');
      }
      const fault = signatureFault(message, body, new Map([[KEY, SECRET]]));
      if (fault) throw new S3Refusal(403, fault);
      const url = new URL(message.url!, this.endpoint);
      const [, bucket, ...key] = decodeURIComponent(url.pathname).split('/');
      if (bucket !== BUCKET) throw new S3Refusal(404, 'NoSuchBucket');
      this.answer(
        { message, method: message.method!, key: key.join('/'), query: url.searchParams, body },
        response,
      );
    } catch (error) {
      if (response.headersSent || (message.destroyed === true && !message.complete)) {
        response.destroy();
        return;
      }
      const { status, code } = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError');
      xml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
    }
  };

  private answer(request: Request, response: ServerResponse): void {
    const { method, key, query } = request;
    if (key === '') this.list(query, response);
    else if (query.has('uploads') || query.has('uploadId')) this.inParts(request, response);
    else if (method === 'PUT') {
      this.bucketContent.objects.set(key, { content: request.body, type: typeOf(request.message) });
      response.setHeader('etag', etag(request.body)).end();
    } else if (method === 'GET' || method === 'HEAD') this.read(request, response);
    else if (method === 'DELETE') {
      this.bucketContent.objects.delete(key);
      response.writeHead(204).end();
    } else throw new S3Refusal(405, 'MethodNotAllowed');
  }

  private read({ message, method, key }: Request, response: ServerResponse): void {
    const { content, type } = this.bucketContent.get(key);
    const range = /^bytes=(\d+)-(\d*)$/.exec(message.headers.range ?? '');
    const start = range ? Number(range[1]) : 0;
    const end = range?.[2] ? Math.min(Number(range[2]), content.length - 1) : content.length - 1;
    if (range && start >= content.length) throw new S3Refusal(416, 'InvalidRange');
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${content.length}`);
    response.writeHead(range ? 206 : 200, {
      'content-length': end + 1 - start,
      'content-type': type,
      etag: etag(content),
    });
    response.end(method === 'HEAD' ? undefined : content.subarray(start, end + 1));
  }

  private inParts({ message, method, key, query, body }: Request, response: ServerResponse): void {
    const id = query.get('uploadId') ?? '';
    if (method === 'POST' && query.has('uploads')) {
      const begun = this.bucketContent.begin(key, typeOf(message));
      xml(
        response,
        `<InitiateMultipartUploadResult><Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (method === 'PUT') {
      const tag = this.bucketContent.addPart(id, Number(query.get('partNumber')), body);
      response.setHeader('etag', tag).end();
    } else if (method === 'POST') {
      const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
        number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
        etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
      }));
      this.bucketContent.complete(id, named);
      xml(
        response,
        `<CompleteMultipartUploadResult><Bucket>${BUCKET}</Bucket><Key>${key}</Key></CompleteMultipartUploadResult>`,
      );
    } else {
      this.bucketContent.abort(id);
      response.writeHead(204).end();
    }
  }

  private list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const max = Number(query.get('max-keys') ?? 1_000);
    const { keys, truncated } = this.bucketContent.list(prefix, query.get('start-after') ?? '', max);
    const contents = keys.map((key) => {
      const { content } = this.bucketContent.get(key);
      return `<Contents><Key>${key}</Key><Size>${content.length}</Size></Contents>`;
    });
    xml(
      response,
      `<ListBucketResult><Name>${BUCKET}</Name><KeyCount>${keys.length}</KeyCount><IsTruncated>${truncated}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    );
  }
}

function typeOf(message: IncomingMessage): string {
  return message.headers['content-type'] ?? OCTETS;
}

function xml(response: ServerResponse, content: string, status = 200): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>${content}`;
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
