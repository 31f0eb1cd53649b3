// Shows one of its sections at a time.
class SlideDeck extends HTMLElement {
  static observedAttributes = ['current'];
  connectedCallback() {
    this.show();
  }
  attributeChangedCallback() {
    this.show();
  }
  show() {
    const current = Number(this.getAttribute('current') ?? 0);
    [...this.children].forEach((slide, index) => {
      slide.hidden = index !== current;
    });
  }
}
customElements.define('slide-deck', SlideDeck);
