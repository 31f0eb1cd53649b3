import { useState } from 'react';
import { Link } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { documentPaths } from '../api';
import { RenderedHtml } from '../surface/rendered-html';
import { useReview } from './review-context';

export interface BannersProps {
  /** The version that the person saw before this visit; null when this is the first one. */
  readonly lastSeen: number | null;
  readonly onOpenNewest: () => void;
  readonly onShowLost: () => void;
  readonly readOnly: boolean;
}

/** What a reader must know before the text: one sentence and one action each. */
export function Banners({ lastSeen, onOpenNewest, onShowLost, readOnly }: BannersProps) {
  const { review, projectId, documentId, api, actions } = useReview();
  const { document, version, verdict } = review;
  const paths = documentPaths(projectId, documentId);
  const [busy, setBusy] = useState(false);
  const lost = review.threads.filter((thread) => thread.orphaned && thread.status !== 'resolved').length;
  const moved = review.threads.filter((thread) => thread.moved && !thread.orphaned).length;

  const withdraw = async () => {
    if (!verdict || busy) return;
    setBusy(true);
    try {
      await api.withdraw(documentId, verdict.id);
      toast({ title: 'Verdict withdrawn.' });
    } catch (error) {
      toast({ tone: 'bad', title: 'The verdict was not withdrawn.', text: sentenceOf(error) });
    } finally {
      setBusy(false);
      void actions.refresh();
    }
  };

  return (
    <>
      {!readOnly && document.currentVersion > version.number && (
        <Banner
          tone="accent"
          actions={
            <>
              <Link to={paths.diff(version.number, document.currentVersion)}>See changes</Link>
              <Button size="sm" onClick={onOpenNewest}>
                Open
              </Button>
            </>
          }
        >
          Version {document.currentVersion} arrived. You are still reading version {version.number}.
        </Banner>
      )}
      {document.archived && (
        <Banner tone="neutral">
          This document is archived{document.archiveReason ? `: ${document.archiveReason}` : '.'}
        </Banner>
      )}
      {!readOnly && document.status === 'draft' && !document.archived && (
        <Banner tone="neutral">This is a draft. It waits for nobody until it is sent to review.</Banner>
      )}
      {verdict && (
        <Banner
          tone={verdict.verdict === 'approved' ? 'good' : 'bad'}
          actions={
            verdict.yours && !readOnly && version.isCurrent && !document.archived ? (
              <Button size="sm" variant="ghost" busy={busy} onClick={() => void withdraw()}>
                Withdraw verdict
              </Button>
            ) : undefined
          }
        >
          <b>{verdict.verdict === 'approved' ? 'Approved' : 'Changes requested'}</b> by{' '}
          {verdict.yours ? 'you' : verdict.reviewer.name} in version {version.number},{' '}
          <RelativeTime at={verdict.submittedAt} />
          {verdict.noteHtml && <RenderedHtml className="banner__note" html={verdict.noteHtml} />}
        </Banner>
      )}
      {lastSeen !== null && lastSeen < version.number && !readOnly && (
        <Banner tone="accent" actions={<Link to={paths.diff(lastSeen, version.number)}>See changes</Link>}>
          Changed since version {lastSeen}, which you last saw.
          {moved > 0 && ` ${plural(moved, 'comment')} moved with ${moved === 1 ? 'its' : 'their'} words.`}
        </Banner>
      )}
      {lost > 0 && (
        <Banner
          tone="warn"
          actions={
            <button type="button" className="link-btn" onClick={onShowLost}>
              Show {lost === 1 ? 'it' : 'them'}
            </button>
          }
        >
          {lost === 1 ? 'One comment lost its passage.' : `${lost} comments lost their passage.`}
        </Banner>
      )}
    </>
  );
}
