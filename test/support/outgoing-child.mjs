// Runs fetches of the built server in a process of its own: which authorities TLS trusts is read at the start of one.
import { GuardedPageFetcher } from '../../dist/src/artifacts/generation/infrastructure/guarded-page-fetcher.js';
import { GuardedFetch } from '../../dist/src/identity/infrastructure/oauth/guarded-fetch.js';

const tries = JSON.parse(process.argv[2]);
const outcomes = [];
for (const { kind, url, addresses, allow = [], proxy = null, reach = 'public' } of tries) {
  let asked = 0;
  const resolve = async (host) => {
    const answers = addresses[host];
    if (!answers) throw new Error('ENOTFOUND');
    // A list of lists is what a name leads to when it is asked for the first time, the second, and so on.
    const known = Array.isArray(answers[0]) ? answers[Math.min(asked, answers.length - 1)] : answers;
    asked += 1;
    return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  try {
    if (kind === 'page') {
      const pages = new GuardedPageFetcher({ allow, proxy, resolve, timeoutMs: 10_000 });
      const wanted = { accept: 'text/html', maxBytes: 100_000, signal: new AbortController().signal };
      outcomes.push((await pages.fetch(url, wanted)).bytes.toString());
    } else {
      const documents = new GuardedFetch({ reach, proxy, resolve });
      outcomes.push(JSON.stringify((await documents.json(url)).document));
    }
  } catch (error) {
    outcomes.push(`${error.name}: ${error.message}${codeOf(error)}`);
  }
}
process.stdout.write(JSON.stringify(outcomes));

/** What TLS said, wherever it stands in the chain of causes. */
function codeOf(error) {
  for (let at = error; at; at = at.cause)
    if (/^(ERR_TLS|CERT|SELF|DEPTH|UNABLE)/.test(at.code ?? '')) return ` ${at.code}`;
  return '';
}
