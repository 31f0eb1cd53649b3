import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { NotFoundPage } from '../../pages/not-found-page';
import { useBoardSpace } from '../data/board-space';
import { useBoardFacts, useCard } from '../data/use-card';
import { typeOf } from '../model/board-model';
import { CardContent } from './card-content';
import { CardMenu } from './card-menu';

/** One card as a page of its own. */
export function CardPage() {
  const { cardId = '' } = useParams();
  const project = useCurrentProject();
  const { paths } = useBoardSpace();
  const go = useNavigate();
  const { data: card, error, refetch } = useCard({ cardId });
  const facts = useBoardFacts();
  const [editing, setEditing] = useState(false);
  const gone = error instanceof ApiProblem && error.isNotFound;
  usePage(card ? `#${card.number} ${card.title}` : 'Card', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Board', to: paths.board },
  ]);
  if (!card && gone) return <NotFoundPage />;
  if (!card || !facts) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  const type = typeOf(facts, card.type);
  return (
    <article className="card-page" aria-labelledby="card-title">
      <header className="card-page__head">
        <div className="row">
          <span className="dot" data-colour={type.colour} />
          <span className="muted">
            {type.label} <span className="num">#{card.number}</span>
          </span>
          <span className="push" />
          {!gone && <CardMenu card={card} onRemoved={() => void go(paths.board)} />}
        </div>
        <h1 id="card-title" dir="auto">
          {card.title}
        </h1>
      </header>
      <CardContent
        card={card}
        gone={gone}
        types={facts.types}
        columns={facts.columns}
        editing={editing}
        level={2}
        onEdit={setEditing}
        onOpen={(other) => void go(paths.card(other.cardId))}
      />
    </article>
  );
}

/** A short address with the number leads to the card. */
export function CardByNumber() {
  const { number = '' } = useParams();
  const { paths } = useBoardSpace();
  const { data: card, error, refetch } = useCard({ number: Number(number) || 0 });
  if (card) return <Navigate to={paths.card(card.cardId)} replace />;
  if (error instanceof ApiProblem && (error.isNotFound || error.status === 422)) return <NotFoundPage />;
  return (
    <div className="page-body">
      {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />}
    </div>
  );
}
