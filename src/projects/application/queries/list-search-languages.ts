import { Injectable } from '@nestjs/common';
import { SearchLanguages } from '../ports/search-languages.js';

/** Languages that a project or document may be searched in. */
@Injectable()
export class ListSearchLanguages {
  constructor(private readonly languages: SearchLanguages) {}

  async execute(): Promise<string[]> {
    return this.languages.names();
  }
}
