import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';

export type MemberRole = 'maintainer' | 'member' | 'viewer';

export const ROLES: readonly { readonly role: MemberRole; readonly word: string; readonly may: string }[] = [
  { role: 'maintainer', word: 'Maintainer', may: 'settings, members, columns and switches, and all below' },
  { role: 'member', word: 'Member', may: 'documents, comments, verdicts, cards and artifacts' },
  { role: 'viewer', word: 'Viewer', may: 'reads everything and changes nothing' },
];

export function roleWord(role: MemberRole | 'owner'): string {
  return role === 'owner' ? 'Owner' : (ROLES.find((each) => each.role === role)?.word ?? role);
}

export interface Member {
  readonly personId: string;
  readonly displayName: string;
  /** Null for those who may not administer the project. */
  readonly email: string | null;
  readonly role: MemberRole;
  readonly joinedAt: string;
  readonly version: number;
  readonly you: boolean;
}

export interface MemberList {
  readonly owner: Pick<Member, 'personId' | 'displayName' | 'email' | 'you'>;
  readonly members: readonly Member[];
}

export interface OpenInvitation {
  readonly id: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface IssuedInvitation {
  readonly id: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly expiresAt: string;
  readonly url: string;
}

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'members'],
    queryFn: ({ signal }) => api.get<MemberList>(`/projects/${projectId}/members`, { signal }),
  });

export const invitationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'invitations'],
    queryFn: ({ signal }) =>
      api.get<{ invitations: OpenInvitation[]; mailIsOn: boolean }>(`/projects/${projectId}/invitations`, {
        signal,
      }),
  });
