import { Check, Ellipsis, Link2, LocateFixed, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { announce } from '../../components/announcer';
import { Button, IconButton } from '../../components/button';
import { Chip } from '../../components/chip';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import { useTextDraft } from '../drafts/use-draft';
import type { Author, Thread } from '../shapes';
import { Speaker } from '../speaker';
import { authorName, THREAD_STATUS } from '../status';
import { RenderedHtml } from '../surface/rendered-html';
import { EditForm } from './edit-form';
import { ReplyForm } from './reply-form';
import { useReview } from './review-context';
import { lastingName } from './thread-list';

export interface ThreadCardProps {
  readonly thread: Thread;
  readonly active: boolean;
  readonly onActivate: (id: string) => void;
  readonly onClose: (id: string) => void;
  readonly onShowPassage: (id: string) => void;
  /** Starts or ends choosing new words for a thread that lost its own. */
  readonly onReattach: (id: string) => void;
  readonly reattaching: boolean;
}

/** How many of the last replies a card shows while it is not the active one. */
const FOLDED_REPLIES = 1;

/** A thread: the root comment, its replies, and what can be done with it. */
export const ThreadCard = memo(function ThreadCard(props: ThreadCardProps) {
  const { thread, active, onActivate, onClose, onShowPassage, onReattach, reattaching } = props;
  const { actions, mayWrite, mayTalk, drafts } = useReview();
  const [editing, setEditing] = useState(false);
  const [draft] = useTextDraft(drafts, `reply.${lastingName(thread)}`);
  const status = THREAD_STATUS[thread.status];
  const hidden = active ? 0 : Math.max(0, thread.replies.length - FOLDED_REPLIES);
  const quote = thread.anchor?.quote ?? '';
  const name = thread.anchor ? `Thread on “${shorten(quote)}”` : 'Thread on the document';
  const deeds = (
    <>
      {thread.orphaned && mayWrite && thread.status !== 'resolved' && (
        <Button size="sm" icon={LocateFixed} aria-pressed={reattaching} onClick={() => onReattach(thread.id)}>
          Attach to selection
        </Button>
      )}
      {mayTalk && thread.status !== 'resolved' && (
        <Button
          size="sm"
          variant={thread.status === 'addressed' ? undefined : 'ghost'}
          icon={Check}
          onClick={() => {
            announce('Thread resolved.');
            void actions.resolve(thread.id);
          }}
        >
          Resolve
        </Button>
      )}
      {mayTalk && thread.status === 'addressed' && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            announce('Handed back to the agent.');
            void actions.reopen(thread.id);
          }}
        >
          Not done yet
        </Button>
      )}
      {mayTalk && thread.status === 'resolved' && (
        <Button
          size="sm"
          variant="ghost"
          icon={RotateCcw}
          onClick={() => {
            announce('Thread reopened.');
            void actions.reopen(thread.id);
          }}
        >
          Reopen
        </Button>
      )}
      <Menu
        align="end"
        label="Thread"
        trigger={<IconButton label="More about this thread" icon={Ellipsis} size="sm" />}
      >
        {thread.mayEdit && mayTalk && (
          <MenuItem icon={Pencil} onSelect={() => setEditing(true)}>
            Edit
          </MenuItem>
        )}
        <MenuItem icon={Link2} onSelect={() => void copyLink(thread.id)}>
          Copy link
        </MenuItem>
        {mayTalk && (
          <>
            <MenuSeparator />
            <MenuItem icon={Trash2} onSelect={() => void actions.remove(thread.id)}>
              Delete thread
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
  return (
    <section
      className="thread"
      aria-label={name}
      data-card={thread.id}
      id={`thread-${thread.id}`}
      data-active={active || undefined}
      data-tethered={thread.anchor && !thread.orphaned ? '' : undefined}
      tabIndex={-1}
      onClick={(event) => {
        // Controls of the card, and the menu that hangs on it, do their own work.
        if ((event.target as Element).closest('button, a, textarea, [role="menu"]')) return;
        if (!active && document.getSelection()?.isCollapsed !== false) onActivate(thread.id);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && active && !event.defaultPrevented) {
          event.stopPropagation();
          onClose(thread.id);
        }
      }}
    >
      {thread.orphaned ? (
        <p className="thread__quote" dir="auto">
          <b>Lost its passage.</b> Was on “{quote}”.
        </p>
      ) : (
        thread.anchor && (
          <button
            type="button"
            className="thread__quote thread__passage"
            dir="auto"
            onClick={() => onShowPassage(thread.id)}
          >
            <span className="visually-hidden">Show passage: </span>
            {quote}
          </button>
        )
      )}
      {!thread.anchor && <p className="thread__whole mini-head">On the whole document</p>}
      <article className="comment">
        <Speaker author={thread.author} />
        <header className="comment__head">
          <AuthorLine author={thread.author} at={thread.createdAt} />
          <Chip
            tone={status.tone}
            glyph={status.glyph}
            variant="plain"
            strong={thread.status === 'addressed'}
          >
            {status.word}
          </Chip>
        </header>
        <div className="comment__body">
          {thread.moved && !thread.orphaned && (
            <p
              className="comment__note"
              title="Its words are the same; the text around them changed, or they stand elsewhere."
            >
              Moved with its words in this version
            </p>
          )}
          <Swap thread={thread} />
          {editing ? (
            <EditForm thread={thread} onDone={() => setEditing(false)} />
          ) : (
            thread.bodyHtml && <RenderedHtml className="comment__text" html={thread.bodyHtml} />
          )}
        </div>
      </article>
      {hidden > 0 && (
        <button type="button" className="thread__more link-btn small" onClick={() => onActivate(thread.id)}>
          {plural(hidden, 'more reply', 'more replies')}
        </button>
      )}
      {thread.replies.slice(hidden).map((reply) => (
        <article className="comment" key={reply.id}>
          <Speaker author={reply.author} />
          <header className="comment__head">
            <AuthorLine author={reply.author} at={reply.createdAt} />
          </header>
          <div className="comment__body">
            <RenderedHtml className="comment__text" html={reply.bodyHtml} />
          </div>
        </article>
      ))}
      {active && mayTalk ? (
        <ReplyForm thread={thread} onEscape={() => onClose(thread.id)}>
          {deeds}
        </ReplyForm>
      ) : (
        <div className="thread__foot">
          {mayTalk && !active && (
            <Button
              size="sm"
              variant={thread.status === 'addressed' ? 'ghost' : undefined}
              onClick={() => onActivate(thread.id)}
            >
              {draft ? 'Go on writing' : 'Reply'}
            </Button>
          )}
          {deeds}
        </div>
      )}
    </section>
  );
});

function Swap({ thread }: { readonly thread: Thread }) {
  if (thread.replacement === null || !thread.anchor) return null;
  return (
    <div className="swap">
      <del dir="auto">
        <span className="visually-hidden">Instead of: </span>
        {thread.anchor.quote}
      </del>
      {thread.replacement !== '' && (
        <ins dir="auto">
          <span className="visually-hidden">Write: </span>
          {thread.replacement}
        </ins>
      )}
    </div>
  );
}

function AuthorLine({ author, at }: { readonly author: Author; readonly at: string }) {
  const { personId } = useReview();
  return (
    <>
      <span className="comment__name" dir="auto">
        {authorName(author)}
      </span>
      {author.kind === 'person' && author.personId === personId && <span>you</span>}
      <RelativeTime at={at} />
    </>
  );
}

async function copyLink(id: string): Promise<void> {
  const { origin, pathname } = window.location;
  try {
    await navigator.clipboard.writeText(`${origin}${pathname}#thread-${id}`);
    announce('Link copied.');
  } catch {
    window.location.hash = `thread-${id}`;
    announce('The link is in the address bar.');
  }
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/gu, ' ');
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
