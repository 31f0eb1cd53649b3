import { Injectable } from '@nestjs/common';
import { Persons } from './ports/persons.js';

/** Whether the instance has its first admin. Once it has, it always does, so a yes is remembered. */
@Injectable()
export class Installation {
  private done = false;

  constructor(private readonly persons: Persons) {}

  async isDone(): Promise<boolean> {
    this.done ||= await this.persons.anyAdmin();
    return this.done;
  }
}
