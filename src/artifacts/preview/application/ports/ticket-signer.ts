import type { PreviewTicket } from '../../domain/preview-ticket.js';

/** Makes tickets that nobody else can make. */
export abstract class TicketSigner {
  /** Of `[A-Za-z0-9_.-]`. */
  abstract sign(ticket: PreviewTicket): string;
  /** Null for what this instance did not sign, and for tickets past their time. */
  abstract open(signed: string, now: Date): PreviewTicket | null;
}
