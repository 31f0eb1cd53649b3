import type { MiddlewareConsumer, ModuleMetadata } from '@nestjs/common';
import { urlencoded } from 'express';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { GetStatus } from '#src/platform/application/queries/get-status.js';
import { AccountLimits } from './application/account-limits.js';
import { AccountLinks } from './application/account-links.js';
import { AccountMails } from './application/account-mails.js';
import { ChangeAccount } from './application/commands/change-account.js';
import { ChangePassword } from './application/commands/change-password.js';
import { ConfirmEmailChange } from './application/commands/confirm-email-change.js';
import { ConfirmPassword } from './application/commands/confirm-password.js';
import { CreateAdmin } from './application/commands/create-admin.js';
import { CreatePerson } from './application/commands/create-person.js';
import { DeleteOwnAccount } from './application/commands/delete-own-account.js';
import { DeletePerson } from './application/commands/delete-person.js';
import { DemotePerson } from './application/commands/demote-person.js';
import { EndOtherSessions } from './application/commands/end-other-sessions.js';
import { EndSession } from './application/commands/end-session.js';
import { EndSessionOfPerson } from './application/commands/end-session-of-person.js';
import { EnsureFirstAdmin } from './application/commands/ensure-first-admin.js';
import { ForceVerifyPerson } from './application/commands/force-verify-person.js';
import { InstallInstance } from './application/commands/install-instance.js';
import { InvitePerson } from './application/commands/invite-person.js';
import { IssueResetLink } from './application/commands/issue-reset-link.js';
import { LogIn } from './application/commands/log-in.js';
import { LogOut } from './application/commands/log-out.js';
import { OpenWebSession } from './application/commands/open-web-session.js';
import { PromotePerson } from './application/commands/promote-person.js';
import { RegisterPerson } from './application/commands/register-person.js';
import { ReinstatePerson } from './application/commands/reinstate-person.js';
import { RememberLastProject } from './application/commands/remember-last-project.js';
import { RequestEmailChange } from './application/commands/request-email-change.js';
import { RequestPasswordReset } from './application/commands/request-password-reset.js';
import { ResendVerification } from './application/commands/resend-verification.js';
import { ResetPassword } from './application/commands/reset-password.js';
import { RevokeAnyConnection } from './application/commands/revoke-any-connection.js';
import { SignInThroughCompany } from './application/commands/sign-in-through-company.js';
import { SuspendPerson } from './application/commands/suspend-person.js';
import { VerifyEmail } from './application/commands/verify-email.js';
import { Installation } from './application/installation.js';
import { PersonDeletion } from './application/person-deletion.js';
import { AccountTokens } from './application/ports/account-tokens.js';
import { CompanyIdentities } from './application/ports/company-identities.js';
import { CompanyIssuer } from './application/ports/company-issuer.js';
import { InstanceStatus } from './application/ports/instance-status.js';
import { InvitedAddresses } from './application/ports/invited-addresses.js';
import { PasswordHasher } from './application/ports/password-hasher.js';
import { PersonContacts } from './application/ports/person-contacts.js';
import { PersonDirectory } from './application/ports/person-directory.js';
import { Persons } from './application/ports/persons.js';
import { RegistrationSwitch } from './application/ports/registration-switch.js';
import { WebSessions } from './application/ports/web-sessions.js';
import { GetOwnAccount } from './application/queries/get-own-account.js';
import { GetPerson } from './application/queries/get-person.js';
import { InstallAccess } from './application/queries/install-access.js';
import { ListOwnSessions } from './application/queries/list-own-sessions.js';
import { ListPeople } from './application/queries/list-people.js';
import { LookUpLink } from './application/queries/look-up-link.js';
import { GetRegistrationState } from './application/queries/registration-state.js';
import { ResolveActorFromSession } from './application/queries/resolve-actor-from-session.js';
import { WhereAfterSignIn } from './application/queries/where-after-sign-in.js';
import { RecentProof } from './application/recent-proof.js';
import { RequestLimits } from './application/request-limits.js';
import { SessionAnnouncements } from './application/session-announcements.js';
import { SignInLimits } from './application/sign-in-limits.js';
import { SignInWays } from './application/sign-in-ways.js';
import { Argon2PasswordHasher } from './infrastructure/argon2-password-hasher.js';
import { CompanyCheck } from './infrastructure/company-check.js';
import { IdentityExport } from './infrastructure/identity-export.js';
import { OpenIdCompanyIssuer } from './infrastructure/openid-company-issuer.js';
import { PlatformRegistrations } from './infrastructure/platform-registrations.js';
import { PostgresAccountTokens } from './infrastructure/postgres-account-tokens.js';
import { PostgresCompanyIdentities } from './infrastructure/postgres-company-identities.js';
import { PostgresPersons } from './infrastructure/postgres-persons.js';
import { PostgresWebSessions } from './infrastructure/postgres-web-sessions.js';
import { PurgePeople } from './infrastructure/purge-people.js';
import { PurgeWebSessions } from './infrastructure/purge-web-sessions.js';
import { SqlPersonContacts } from './infrastructure/sql-person-contacts.js';
import { SqlPersonDirectory } from './infrastructure/sql-person-directory.js';
import { AccountController } from './interface/http/account.controller.js';
import { AdminPeopleController } from './interface/http/admin-people.controller.js';
import { AuthenticateRequest } from './interface/http/authenticate-request.js';
import { CheckMailCookie } from './interface/http/check-mail-cookie.js';
import { CompanySignInController } from './interface/http/company-sign-in.controller.js';
import { FormTokens } from './interface/http/form-tokens.js';
import { InstallController } from './interface/http/install.controller.js';
import { PageFilter } from './interface/http/pages/page.filter.js';
import { PageSender } from './interface/http/pages/page-sender.js';
import { PasswordController } from './interface/http/password.controller.js';
import { RegistrationController } from './interface/http/registration.controller.js';
import { SignInController } from './interface/http/sign-in.controller.js';
import { VerificationController } from './interface/http/verification.controller.js';
import { WebSessionCookie } from './interface/http/web-session-cookie.js';

/** Forms of the pages hold a few short fields. */
const FORM_LIMIT = '64kb';

/** Pages that take forms. The token endpoints parse their own bodies. */
const FORM_PAGES = [
  'install',
  'login',
  'logout',
  'register',
  'check-email',
  'verify-email',
  'confirm-email',
  'forgot-password',
  'reset-password',
  'oauth/consent/{*rest}',
  'oauth/device',
];

const USE_CASES = [
  ChangeAccount,
  ChangePassword,
  ConfirmEmailChange,
  ConfirmPassword,
  CreateAdmin,
  CreatePerson,
  DeleteOwnAccount,
  DeletePerson,
  DemotePerson,
  EndSessionOfPerson,
  InvitePerson,
  IssueResetLink,
  RevokeAnyConnection,
  GetPerson,
  ListPeople,
  EndOtherSessions,
  EndSession,
  EnsureFirstAdmin,
  ForceVerifyPerson,
  GetOwnAccount,
  GetRegistrationState,
  InstallAccess,
  InstallInstance,
  ListOwnSessions,
  LogIn,
  LogOut,
  LookUpLink,
  PromotePerson,
  RegisterPerson,
  ReinstatePerson,
  RememberLastProject,
  RequestEmailChange,
  RequestPasswordReset,
  ResendVerification,
  ResetPassword,
  ResolveActorFromSession,
  SignInThroughCompany,
  SuspendPerson,
  VerifyEmail,
  WhereAfterSignIn,
];

/** Parts for people and their sign-in; `identity.module.ts` adds them to the context. */
export const peopleBindings: Required<Pick<ModuleMetadata, 'controllers' | 'providers' | 'exports'>> = {
  controllers: [
    AccountController,
    AdminPeopleController,
    CompanySignInController,
    InstallController,
    PasswordController,
    RegistrationController,
    SignInController,
    VerificationController,
  ],
  providers: [
    ...USE_CASES,
    AccountLimits,
    AccountLinks,
    AccountMails,
    Installation,
    OpenWebSession,
    PersonDeletion,
    RecentProof,
    SignInWays,
    RequestLimits,
    SessionAnnouncements,
    SignInLimits,
    { provide: Persons, useClass: PostgresPersons },
    { provide: AccountTokens, useClass: PostgresAccountTokens },
    { provide: CompanyIdentities, useClass: PostgresCompanyIdentities },
    { provide: CompanyIssuer, useClass: OpenIdCompanyIssuer },
    { provide: WebSessions, useClass: PostgresWebSessions },
    { provide: PasswordHasher, useClass: Argon2PasswordHasher },
    { provide: PersonDirectory, useClass: SqlPersonDirectory },
    { provide: PersonContacts, useClass: SqlPersonContacts },
    { provide: InvitedAddresses, useFactory: () => new InvitedAddresses() },
    {
      provide: RegistrationSwitch,
      inject: [SetFlag],
      useFactory: (setFlag: SetFlag): RegistrationSwitch => ({
        set: async (actor, value) => {
          await setFlag.execute(actor, { name: 'registration.enabled', value });
        },
      }),
    },
    {
      provide: InstanceStatus,
      inject: [GetStatus],
      useFactory: (status: GetStatus): InstanceStatus => ({
        // Whoever may open the wizard is about to be the admin; nobody else sees these rows.
        checks: async (request) =>
          (await status.execute({ kind: 'console', osUser: 'install' }, request)).checks,
      }),
    },
    PlatformRegistrations,
    IdentityExport,
    PurgePeople,
    PurgeWebSessions,
    AuthenticateRequest,
    CheckMailCookie,
    CompanyCheck,
    FormTokens,
    PageFilter,
    PageSender,
    WebSessionCookie,
  ],
  exports: [
    CreateAdmin,
    EnsureFirstAdmin,
    ForceVerifyPerson,
    GetOwnAccount,
    Installation,
    PageFilter,
    PageSender,
    PersonDirectory,
    PersonContacts,
    InvitedAddresses,
    PromotePerson,
    RememberLastProject,
    WhereAfterSignIn,
  ],
};

/** Every request learns who it comes from, and the pages can read their forms. */
export function identifyRequests(consumer: MiddlewareConsumer): void {
  consumer.apply(AuthenticateRequest).forRoutes('{*path}');
  consumer.apply(urlencoded({ extended: false, limit: FORM_LIMIT })).forRoutes(...FORM_PAGES);
}
