import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// A station in a process of its own that answers line by line.
class Program {
  static async open(name, program, device) {
    const s = new this();
    s.name = name;
    s.child = spawn(program, ['-station', device], { stdio: ['pipe', 'pipe', 'inherit'] });
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

// Inkshade on one device.
export class Inkshade extends Program {
  static async open(program, device) { return super.open(`Inkshade ${device}`, program, device); }
}

// gonum's own BLAS, called from the same program. It takes part in products alone.
export class Gonum extends Program {
  static async open(program) {
    const s = await super.open('gonum', program, 'gonum');
    const version = execFileSync('go', ['list', '-m', '-f', '{{.Version}}', 'gonum.org/v1/gonum'], { encoding: 'utf8' });
    s.version = `${version.trim().slice(1)}, ${s.version}`;
    return s;
  }
}
