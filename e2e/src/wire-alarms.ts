import { Dead } from './wire-configuration.ts'

const bits = { enabled: 1, active: 2, acked: 4, ackRequired: 8, resetRequired: 16 }

/** Alarm that a device simulates: what people have to do about it. */
type Simulated = { name: string; ack: boolean; reset: boolean }
type AlarmState = Simulated & { state: number; evTs?: Date }
type Command = {
  name?: unknown
  command?: unknown
  evTs?: unknown
  user?: unknown
  comment?: unknown
}

/**
 * Alarms of a device, in the states that the wire describes. A command that the real library does not survive
 * throws `Dead`: one for an alarm that it has not raised since it connected, or with texts that are none.
 */
export class WireAlarms {
  readonly commands: Command[] = []
  readonly #alarms: Map<string, AlarmState>
  readonly #send: (v: object) => void

  constructor(simulated: readonly Simulated[], send: (v: object) => void) {
    this.#alarms = new Map(
      simulated.map((one) => [one.name, { ...one, state: bits.enabled }] as const),
    )
    this.#send = send
  }

  /** Raises an alarm; another occurrence begins when nothing of the last one is left. */
  raise(name: string, v: number) {
    const alarm = this.#of(name)
    const isPending = (alarm.state & (bits.ackRequired | bits.resetRequired)) !== 0
    if (!isPending || !alarm.evTs) alarm.evTs = new Date()
    alarm.state |= bits.active
    if (alarm.ack && (alarm.state & bits.acked) === 0) alarm.state |= bits.ackRequired
    this.#tell(alarm, v)
  }

  /** Ends the condition of an alarm. */
  end(name: string, v: number) {
    const alarm = this.#of(name)
    alarm.state &= ~bits.active
    this.#tell(alarm, v)
  }

  /** Forgets all that it has raised. */
  forget() {
    for (const alarm of this.#alarms.values()) {
      alarm.state = bits.enabled
      delete alarm.evTs
    }
  }

  receive(v: unknown) {
    const command = v as Command // each field is looked at
    this.commands.push(command)
    const { name, evTs, user, comment } = command
    if (typeof user !== 'string' || typeof comment !== 'string')
      throw new Dead('texts that are none')
    const alarm = this.#alarms.get(String(name))
    if (!alarm?.evTs) throw new Dead('a command for an alarm that was never raised')
    if (typeof evTs !== 'number') throw new Dead('a start that is no number')
    // A record for another occurrence is answered as closed.
    if (evTs !== alarm.evTs.getTime())
      return this.#tell({ ...alarm, evTs: new Date(evTs), state: bits.enabled }, 0)
    return command.command === 'ack' ? this.#acknowledge(alarm) : this.#reset(alarm)
  }

  #acknowledge(alarm: AlarmState) {
    if ((alarm.state & bits.ackRequired) === 0) return
    alarm.state = (alarm.state & ~bits.ackRequired) | bits.acked
    if (alarm.reset) alarm.state |= bits.resetRequired
    this.#tell(alarm, 0)
  }

  #reset(alarm: AlarmState) {
    if ((alarm.state & bits.resetRequired) === 0 || (alarm.state & bits.active) !== 0) return
    alarm.state = bits.enabled
    this.#tell(alarm, 0)
  }

  #tell({ name, state, evTs }: AlarmState, v_d: number) {
    const about = { name, desc: `${name} of the press`, tag: name, sev: 5 }
    this.#send({ ...about, state, evTs, ts: new Date(), v_d })
  }

  #of(name: string) {
    const alarm = this.#alarms.get(name)
    if (!alarm) throw new Error(`no alarm ${name}`)
    return alarm
  }
}
