import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Configuration } from './configuration.js';

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM under APP_ENCRYPTION_KEY. A sealed value is `v1.<key id>.<nonce>.<tag>.<ciphertext>` in base64url; the key
 * id lets values of older keys be read while they are written anew.
 */
@Injectable()
export class DerivedSecretBox extends SecretBox {
  private readonly current: Key;
  private readonly keys: readonly Key[];
  private readonly appSecrets: readonly string[];

  constructor(configuration: Configuration) {
    super();
    const { encryptionKey, encryptionKeysOld, appSecret, appSecretPrevious } = configuration.values;
    if (!encryptionKey || !appSecret) throw new Error('The secrets of the instance are not loaded.');
    this.current = keyOf(encryptionKey);
    this.keys = [this.current, ...encryptionKeysOld.map(keyOf)];
    this.appSecrets = appSecretPrevious ? [appSecret, appSecretPrevious] : [appSecret];
  }

  override seal(plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.current.bytes, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
    return ['v1', this.current.id, ...parts].join('.');
  }

  override open(sealed: string): string {
    const [form, id, nonce, tag, content] = sealed.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    if (form !== 'v1' || !key || !nonce || !tag || content === undefined) {
      throw new Error('A stored secret was sealed with a key that this instance does not have.');
    }
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return decipher.update(Buffer.from(content, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
  }

  override isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v1.${this.current.id}.`);
  }

  override keyedHash(purpose: string, value: string): string {
    return createHmac('sha256', derived(this.appSecrets[0]!, purpose)).update(value).digest('hex');
  }

  override signingKeys(purpose: string): readonly string[] {
    return this.appSecrets.map((secret) => derived(secret, purpose).toString('base64url'));
  }
}

function keyOf(base64: string): Key {
  const bytes = Buffer.from(base64, 'base64');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'loupe', purpose, 32));
}
