import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// Inkshade on one device, in a process of its own that answers line by line.
export class Inkshade {
  static async open(program, device) {
    const s = new Inkshade();
    s.name = `Inkshade ${device}`;
    s.child = spawn(program, ['bench-station', '--device', device], { stdio: ['pipe', 'pipe', 'inherit'] });
    s.lines = createInterface({ input: s.child.stdout })[Symbol.asyncIterator]();
    s.version = (await s.reply()).name;
    return s;
  }

  async reply() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.name} ended`);
    const reply = JSON.parse(value);
    if (reply.error) throw new Error(reply.error);
    return reply;
  }

  async ask(request) {
    this.child.stdin.write(JSON.stringify(request) + '\n');
    return this.reply();
  }

  async prepare(c) { return (await this.ask({ do: 'prepare', ...c })).proof; }
  async turn(ms) { return (await this.ask({ do: 'turn', ms })).times_us; }
  async close() { this.child.stdin.end(); }
}
