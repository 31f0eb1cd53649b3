import type { Scope } from '#libs/kernel/actor.js';

export interface AccessWords {
  /** What the app may do. */
  readonly grants: readonly string[];
  /** What it may not, though one could think so. */
  readonly not: string;
}

/** What a set of scopes allows, in words for people. */
export function accessWords(scopes: readonly Scope[]): AccessWords {
  if (scopes.includes('site-review')) {
    return {
      grants: ['Read, write and close review notes on this site, as you'],
      not: 'open documents, cards or anything else in Loupe',
    };
  }
  if (scopes.includes('projects')) {
    return {
      grants: [
        'Act on every project that you own or are a member of, now and later, with your role in it',
        ...(scopes.includes('mcp')
          ? ['Let coding agents on that machine read and write documents, cards, inbox items and artifacts']
          : []),
        ...(scopes.includes('agent') ? ['Run bridges that take on work and report what they did'] : []),
      ],
      not: 'give a verdict, invite people, or change your account',
    };
  }
  if (scopes.includes('agent')) {
    return {
      grants: [
        'See who you are and which projects you have',
        'Run bridges that take on work and report what they did',
      ],
      not: 'read or write the content of your projects',
    };
  }
  return {
    grants: [
      'Read and write documents, cards, inbox items and artifacts, with your role in the project',
      'Read runs and metrics, and ask bridges to stop or resume a run',
    ],
    not: 'give a verdict, invite people, or see your other projects',
  };
}
