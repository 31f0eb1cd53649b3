import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { TicketSigner } from '../application/ports/ticket-signer.js';
import { decodeTicket, encodeTicket, type PreviewTicket } from '../domain/preview-ticket.js';

const PURPOSE = 'artifact-preview-ticket';

/** HMAC-SHA256 under a key of its own, derived from the secret of the instance; the previous secret still opens. */
@Injectable()
export class HmacTicketSigner extends TicketSigner {
  private readonly keys: readonly string[];

  constructor(private readonly secrets: SecretBox) {
    super();
    this.keys = secrets.signingKeys(PURPOSE);
  }

  override sign(ticket: PreviewTicket): string {
    const body = encodeTicket(ticket, (personId) => this.secrets.seal(personId));
    return `${body}.${mark(this.keys[0]!, body).toString('base64url')}`;
  }

  override open(signed: string, now: Date): PreviewTicket | null {
    const [body, given, ...more] = signed.split('.');
    if (!body || !given || more.length > 0) return null;
    const presented = Buffer.from(given, 'base64url');
    // The text form is compared too: base64url has several spellings of one value.
    if (presented.toString('base64url') !== given) return null;
    const genuine = this.keys.some((key) => {
      const own = mark(key, body);
      return own.length === presented.length && timingSafeEqual(own, presented);
    });
    if (!genuine) return null;
    const ticket = decodeTicket(body, (sealed) => this.opened(sealed));
    return ticket !== null && ticket.expiresAt > now ? ticket : null;
  }

  /** Null when the key is gone. */
  private opened(sealed: string): string | null {
    try {
      return this.secrets.open(sealed);
    } catch {
      return null;
    }
  }
}

function mark(key: string, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest();
}
