import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Database } from '#libs/persistence/database.js';
import { WIDGET_CLIENT_ID } from '../../domain/oauth-client.js';
import { ArtefactStore } from './artefact-store.js';

const PREFLIGHT_SECONDS = '600';

/**
 * CORS of the token and revocation endpoints: for the widget alone, and only for the page origin that was recorded at
 * consent (`identity.md` 5.7).
 */
@Injectable()
export class WidgetOrigins {
  constructor(
    private readonly store: ArtefactStore,
    private readonly database: Database,
  ) {}

  /** A preflight names no client, so any origin that has a live widget sign-in is let through to the real request. */
  async answerPreflight(request: Request, response: Response): Promise<void> {
    const origin = request.get('origin');
    response.vary('Origin').status(204);
    if (origin && (await this.isRecorded(origin))) {
      response.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': 'content-type',
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      });
    }
    response.end();
  }

  /** Sets the header for the page that signed in. False when the widget comes from any other one. */
  async allowExchange(request: Request, response: Response, form: URLSearchParams): Promise<boolean> {
    if (form.get('client_id') !== WIDGET_CLIENT_ID) return true;
    const code = form.get('code');
    const refreshToken = form.get('refresh_token');
    const recorded =
      code !== null
        ? await this.originOf('AuthorizationCode', code)
        : await this.originOf('RefreshToken', refreshToken ?? '');
    // Unknown codes and tokens get the library's own refusal.
    if (recorded === null) return true;
    return this.allow(request, response, recorded);
  }

  async allowRevocation(request: Request, response: Response, form: URLSearchParams): Promise<void> {
    if (form.get('client_id') !== WIDGET_CLIENT_ID) return;
    const token = form.get('token') ?? '';
    const recorded =
      (await this.originOf('AccessToken', token)) ?? (await this.originOf('RefreshToken', token));
    if (recorded !== null) this.allow(request, response, recorded);
  }

  private allow(request: Request, response: Response, recorded: string): boolean {
    if (request.get('origin') !== recorded) return false;
    response.vary('Origin').set('Access-Control-Allow-Origin', recorded);
    return true;
  }

  private async originOf(model: string, id: string): Promise<string | null> {
    const found = id === '' ? null : await this.store.find(model, id);
    if (!found?.grantId) return null;
    const row = await this.database.one<{ origin: string | null }>(
      'SELECT origin FROM identity.connections WHERE id = $1',
      [found.grantId],
    );
    return row?.origin ?? null;
  }

  private async isRecorded(origin: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM identity.connections WHERE origin = $1 AND revoked_at IS NULL AND client_id = $2 LIMIT 1',
      [origin, WIDGET_CLIENT_ID],
    );
    return row !== null;
  }
}
