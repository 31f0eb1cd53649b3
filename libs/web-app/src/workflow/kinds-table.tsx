import type { Kind } from './api';

/** Kinds of work with their role, what they need, and which bridge takes them. */
export function KindsTable({ kinds }: { readonly kinds: readonly Kind[] }) {
  return (
    <section className="stack" data-fill="" aria-labelledby="kinds">
      <h2 id="kinds">Kinds of work</h2>
      <div className="panel table-host">
        <table className="table" data-inset="" data-narrow="stack">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Role</th>
              <th scope="col">Needs</th>
              <th scope="col">Bridges</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <tr key={kind.kind}>
                <th scope="row">
                  {kind.label}
                  <br />
                  <code className="muted small">{kind.kind}</code>
                </th>
                <td data-label="Role">{kind.role}</td>
                <td data-label="Needs">
                  {kind.checks.length === 0 ? (
                    <span className="muted">Nothing</span>
                  ) : (
                    <ul className="check-lines">
                      {kind.checks.map((check) => (
                        <li key={check}>{check}</li>
                      ))}
                    </ul>
                  )}
                </td>
                <td data-label="Bridges">
                  {kind.bridges.length === 0 ? <span className="muted">None</span> : kind.bridges.join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
