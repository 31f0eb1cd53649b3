type Role = 'owner' | 'maintainer' | 'member' | 'viewer';

export interface Session {
  readonly person: {
    readonly id: string;
    readonly displayName: string;
    readonly isAdmin: boolean;
    readonly timezone: string;
    readonly shortcuts: boolean;
  };
  readonly csrfToken: string;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly lastProjectId: string | null;
  readonly version: string;
  readonly defaultUri: string;
}

interface ProjectCounts {
  /** Each is null while its section is off. */
  readonly openItems: number | null;
  readonly openCards: number | null;
  readonly documentsToReview: number | null;
}

export interface ProjectTile {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly role: Role;
  readonly ownerName: string;
  readonly counts: ProjectCounts;
  readonly lastActivityAt: string | null;
}

export interface Project {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly domain: string | null;
  readonly searchLanguage: string;
  readonly allowedOrigins: readonly string[];
  readonly readinessGuideVisible: boolean;
  readonly role: Role;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly counts: ProjectCounts;
}

export interface ConnectInfo {
  readonly initCommand: string;
  readonly setupPrompt: string;
  readonly otherWays: readonly {
    readonly title: string;
    readonly note: string | null;
    readonly command: string;
  }[];
  readonly tools: readonly { readonly name: string; readonly title: string; readonly description: string }[];
}

export interface Machine {
  readonly connectionId: string;
  readonly label: string | null;
  readonly clientName: string;
  readonly signedInAt: string;
  readonly lastSeenAt: string | null;
  readonly usedThisProjectAt: string | null;
}

export interface Account {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly pendingEmail: string | null;
  readonly timezone: string;
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

export interface SessionRow {
  readonly id: string;
  readonly browser: string;
  readonly ip: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly current: boolean;
}

export interface ConnectionRow {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastIp: string | null;
  readonly lastClientInfo: string | { readonly name?: string; readonly version?: string } | null;
  readonly origin: string | null;
}

export interface ConnectionGroup {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly verified: boolean;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly project: { readonly id: string; readonly name: string } | null;
  readonly count: number;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly connections: readonly ConnectionRow[];
}

export type PersonState = 'active' | 'unverified' | 'suspended';

export interface ListedPerson {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly state: PersonState;
  readonly isAdmin: boolean;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
}

export interface PeoplePage {
  readonly people: readonly ListedPerson[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
  /** Whether the instance can send mail. */
  readonly mail: boolean;
}

export interface PersonDetails extends ListedPerson {
  readonly timezone: string;
  readonly suspendedReason: string | null;
  readonly suspendedAt: string | null;
  readonly hasPassword: boolean;
  readonly companySignIn: boolean;
  readonly projects: number;
  readonly sessions: readonly Omit<SessionRow, 'current'>[];
  readonly connections: readonly {
    readonly id: string;
    readonly clientId: string;
    readonly clientName: string;
    readonly label: string | null;
    readonly scopes: readonly string[];
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
  }[];
}

export interface ListedApp {
  readonly clientId: string;
  readonly clientName: string | null;
  readonly clientHost: string | null;
  readonly verified: boolean;
  readonly connections: number;
  readonly people: number;
  readonly lastUsedAt: string | null;
  readonly blockedAt: string | null;
}

/** A link that is shown once. */
export interface OneTimeLink {
  readonly link: string;
  readonly expiresAt: string;
  readonly sent: boolean;
}

export type FlagValue = boolean | number | string | readonly string[];

export interface Flag {
  readonly name: string;
  readonly type: 'bool' | 'int' | 'string' | 'enum' | 'list';
  readonly context: string;
  readonly description: string;
  readonly default: FlagValue;
  readonly value: FlagValue;
  readonly isDefault: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly values: readonly string[] | null;
  readonly updatedAt: string | null;
  readonly updatedBy: string | null;
  readonly outOfRange: boolean;
}

export interface FlagList {
  readonly flags: readonly Flag[];
  readonly unused: readonly {
    readonly name: string;
    readonly value: string;
    readonly updatedAt: string | null;
  }[];
}

export interface AuditEvent {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly outcome: 'success' | 'refused' | 'failed';
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly channel: string;
  readonly connectionId: string | null;
  readonly agentSessionId: string | null;
  readonly ip: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly projectId: string | null;
  readonly context: Readonly<Record<string, unknown>> | null;
}

export type CheckState = 'ok' | 'warning' | 'failed' | 'unknown';

export interface StatusCheck {
  readonly name: string;
  readonly state: CheckState;
  readonly sentence: string;
}

export interface AdminOverview {
  readonly people: number;
  readonly projects: number;
  readonly connections: number;
  readonly queueDepth: number | null;
  readonly failedJobs: number | null;
  readonly version: string;
  readonly failing: readonly StatusCheck[];
}

export interface FailedJob {
  readonly id: string;
  readonly queue: string;
  readonly name: string;
  readonly jobId: string;
  readonly data: unknown;
  readonly failedAt: string;
  readonly attempts: number;
  readonly error: string;
  readonly stack: string | null;
}
