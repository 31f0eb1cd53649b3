import { Injectable } from '@nestjs/common';
import { getPublicSuffix } from 'tldts';
import { PublicSuffixes } from '../application/ports/public-suffixes.js';

/** The public suffix list that comes with `tldts`. */
@Injectable()
export class TldtsPublicSuffixes extends PublicSuffixes {
  override has(host: string): boolean {
    return getPublicSuffix(host, { allowPrivateDomains: true }) === host;
  }
}
