import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { SubmitVerdict } from './commands/submit-verdict.js';
import { ReviewVerdicts, type VerdictFromElsewhere } from './ports/review-verdicts.js';

/** Hands verdicts from elsewhere to the use case of the page. */
@Injectable()
export class VerdictsByUseCase extends ReviewVerdicts {
  constructor(private readonly submitVerdict: SubmitVerdict) {
    super();
  }

  override async submit(person: PersonActor, verdict: VerdictFromElsewhere): Promise<string> {
    return (await this.submitVerdict.execute(person, verdict)).id;
  }
}
