// The checker behind the page: a worker that is started again if it takes too long.

const LONGEST = 60; // seconds for one program

export class Checker {
  constructor(told) {
    this.told = told;
    this.start();
  }

  start() {
    this.ready = false;
    this.asked = null; // the text that the worker is checking
    this.next = null; // the newest text after it
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => this.failed(event.message || "its files cannot be loaded");
  }

  check(text) {
    this.next = text;
    if (this.ready && this.asked === null) this.ask();
  }

  ask() {
    this.asked = this.next;
    this.next = null;
    this.worker.postMessage(this.asked);
    const begun = Date.now();
    this.clock = setInterval(() => {
      const seconds = Math.round((Date.now() - begun) / 1000);
      if (seconds < LONGEST) this.told.slow(seconds);
      else {
        this.again(
          `This program takes more than ${LONGEST} seconds here. The next edit is checked again; ` +
            "on the command line it takes about a quarter of the time.",
        );
      }
    }, 2000);
  }

  heard({ kind, text, milliseconds }) {
    if (kind === "loading") this.told.loading(text);
    else if (kind === "failed" && this.ready) {
      this.again(
        `The checker stopped at this program (${text}): for a browser it is nested too deeply, or too large. ` +
          "The next edit is checked again.",
      );
    } else if (kind === "failed") this.failed(text);
    else if (kind === "ready") {
      performance.mark("namecheck is loaded");
      this.ready = true;
      if (this.next !== null) this.ask();
    } else if (kind === "answer") {
      clearInterval(this.clock);
      const asked = this.asked;
      this.asked = null;
      performance.mark("namecheck has answered");
      this.told.answered(JSON.parse(text), asked, milliseconds);
      if (this.next !== null) this.ask();
    }
  }

  failed(reason) {
    clearInterval(this.clock);
    this.worker.terminate();
    this.told.failed(`The checker stopped: ${reason}. Reload the page to try again.`);
  }

  // Start a new worker, which checks the next edit.
  again(reason) {
    clearInterval(this.clock);
    this.worker.terminate();
    const next = this.next;
    this.told.failed(reason);
    this.start();
    this.next = next;
  }
}
