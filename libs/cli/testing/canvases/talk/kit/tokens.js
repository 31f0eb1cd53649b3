// A script of the head that wants React at once.
const { createElement } = React;
window.Kit = { Stamp: ({ label }) => createElement('small', { className: 'stamp' }, label) };
