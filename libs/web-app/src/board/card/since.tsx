import { useSession } from '../../app/session';
import { exactTime } from '../../components/format-time';
import { sinceWords } from '../model/words';

/** "since 16:40": from when on something holds, exact on hover. */
export function Since({ at }: { readonly at: string }) {
  const { timezone } = useSession().person;
  const moment = new Date(at);
  return (
    <>
      since{' '}
      <time dateTime={at} title={exactTime(moment, timezone)}>
        {sinceWords(moment, new Date(), timezone)}
      </time>
    </>
  );
}
