import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { StatusChecks, type StatusFinding } from '#src/platform/application/ports/status-checks.js';
import { CompanyIssuer } from '../application/ports/company-issuer.js';

/** The row of the status page about the issuer of company sign-in; none where there is no issuer. */
@Injectable()
export class CompanyCheck implements OnModuleInit {
  constructor(
    private readonly configuration: Configuration,
    private readonly issuer: CompanyIssuer,
    private readonly checks: StatusChecks,
  ) {}

  onModuleInit(): void {
    if (this.configuration.values.companySignIn === null) return;
    this.checks.register({ name: 'Company sign-in', run: () => this.look() });
  }

  private async look(): Promise<StatusFinding> {
    const { issuer } = this.configuration.values.companySignIn!;
    const problem = await this.issuer.problem();
    return problem === null
      ? { state: 'ok', sentence: `The issuer ${issuer} answers.` }
      : { state: 'failed', sentence: `The issuer ${issuer} cannot be used (${problem}). Check OIDC_ISSUER.` };
  }
}
