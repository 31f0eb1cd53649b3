import { Ellipsis, Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu';
import { plural } from '../../components/plural';
import { toast } from '../../components/toast';
import { useBoardSpace, useHold } from '../data/board-space';
import { useCardWrites } from '../data/use-card';
import type { FullCard } from '../types';

export interface CardMenuProps {
  readonly card: FullCard;
  readonly onRemoved: () => void;
}

/** What is done to a card seldom. */
export function CardMenu({ card, onRemoved }: CardMenuProps) {
  const { api, paths, mayWrite } = useBoardSpace();
  const writes = useCardWrites();
  const [asking, setAsking] = useState(false);
  useHold(asking);
  const notes = card.siteReviewComments.length;
  return (
    <>
      <Menu align="end" trigger={<IconButton label="More actions" icon={Ellipsis} size="sm" />}>
        <MenuItem
          icon={Link2}
          onSelect={() => {
            navigator.clipboard
              .writeText(new URL(paths.card(card.cardId), window.location.href).href)
              .then(() => toast({ title: 'Link copied' }))
              .catch(() => toast({ tone: 'bad', title: 'The browser did not let the link be copied.' }));
          }}
        >
          Copy link
        </MenuItem>
        {mayWrite && <MenuSeparator />}
        {mayWrite && (
          <MenuItem icon={Trash2} onSelect={() => setAsking(true)}>
            Delete card
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete card ${card.number}?`}
        action="Delete card"
        onConfirm={async () => {
          await api.remove(card.cardId, card.number);
          writes.removed(card.cardId);
          toast({ title: `Card ${card.number} is deleted` });
          onRemoved();
        }}
      >
        <p dir="auto">
          <b>{card.title}</b>
        </p>
        <p>
          The card goes with its links and history
          {notes > 0 && ` and ${plural(notes, 'note')} of feedback`}. Its number is not used again. This
          cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
