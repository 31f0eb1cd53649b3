import { useStore } from '../../app/store';
import { ConfirmDialog } from '../../components/dialog';
import { useBoardSpace, useHold } from './board-space';

/** Asks whether a card leaves the workflow for a move that the workflow does not list. */
export function MoveQuestion() {
  const { moves } = useBoardSpace();
  const question = useStore(moves.question);
  useHold(question !== null);
  return (
    <ConfirmDialog
      open={question !== null}
      onClose={() => moves.question.set(null)}
      title="Make it unmanaged and move it?"
      action="Make unmanaged and move"
      danger={false}
      onConfirm={async () => question?.confirm()}
    >
      <p>The workflow does not move this card there. Make it unmanaged and move it?</p>
      <p className="muted">
        An unmanaged card is left alone by the workflow: it makes no move and starts no work until you manage
        it again.
      </p>
    </ConfirmDialog>
  );
}
