import { X } from 'lucide-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useSearchParams } from 'react-router';
import { ProblemBanner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { LeaveGuard } from '../../components/leave-guard';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { useBoardSpace } from '../data/board-space';
import { useCardWrites } from '../data/use-card';
import type { Board } from '../model/board-model';
import { type CardDraft, changesOf, isChanged } from '../model/card-form';
import { Drawer } from './card-drawer';
import { CardForm } from './card-form';

/** The form for a new card, in the drawer. */
export function CreateDrawer({ board }: { readonly board: Board }) {
  const { api, paths } = useBoardSpace();
  const writes = useCardWrites();
  const go = useNavigate();
  const [search] = useSearchParams();
  const [blank] = useState<CardDraft>(() => ({
    title: '',
    body: '',
    type: board.defaultType,
    columnId:
      board.columns.find((column) => column.columnId === search.get('column'))?.columnId ??
      board.columns.find((column) => column.backlog)?.columnId ??
      '',
    parent: null,
    links: [],
    pullRequests: '',
    documents: [],
  }));
  const [draft, setDraft] = useState(blank);
  const [done, setDone] = useState(false);
  const close = () => void go(paths.board);
  const { form, run, busy, fields, problem } = useSubmit(
    (id) => {
      const { fromColumnId: _, ...changes } = changesOf(blank, draft);
      return api.create({ title: draft.title, type: draft.type, columnId: draft.columnId, ...changes }, id);
    },
    (answer) => {
      writes.apply(answer);
      toast({
        title: `Card ${answer.card.number} added to ${board.columns.find((column) => column.columnId === answer.card.columnId)?.label ?? 'the board'}`,
        action: { label: 'Open', run: () => void go(`${paths.board}?card=${answer.card.number}`) },
      });
      // The guard must know before the page is left.
      flushSync(() => setDone(true));
      close();
    },
  );
  return (
    <Drawer label="Add card" onClose={close}>
      <div className="drawer__head">
        <div className="drawer__bar">
          <span className="push" />
          <IconButton label="Close" icon={X} size="sm" onClick={close} />
        </div>
        <h2 className="drawer__title">Add card</h2>
      </div>
      <div className="drawer__body">
        <form
          ref={form}
          className="stack"
          data-fill
          aria-label="Add card"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <LeaveGuard dirty={isChanged(blank, draft) && !done} />
          <ProblemBanner problem={problem} />
          <CardForm
            draft={draft}
            onChange={setDraft}
            fields={fields}
            types={board.types}
            columns={board.columns}
            self={null}
            autoFocus
          />
          <div className="row form-foot">
            <Button type="submit" variant="primary" busy={busy}>
              {busy ? 'Adding…' : 'Add card'}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </form>
      </div>
    </Drawer>
  );
}
