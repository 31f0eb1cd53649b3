// A component that the canvas finds on the window.
function Badge({ text }) {
  const [count, setCount] = React.useState(0);
  return (
    <button type="button" className="badge" onClick={() => setCount(count + 1)}>
      {text} badge: <b>{count}</b> {count > 1 ? <i>many</i> : null}
    </button>
  );
}
window.Badge = Badge;
