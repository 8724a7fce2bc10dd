import { setTimeout as pause } from 'node:timers/promises'
import { serialize } from 'bson'
import { connectDevice, type Paired } from './device.ts'
import type { GroupServer } from './server-group.ts'
import type { PlannedDevice, Sent } from './random-plants.ts'

type Device = Awaited<ReturnType<typeof connectDevice>>

/** Alarm that the device itself raises. */
type Raised = { alarm: string; t: number }

/**
 * Connection of a device that moves between two servers, and to the other one when its own is away. A value that was
 * not acknowledged goes again.
 */
export class MovingLine {
  /** Number of values that were acknowledged. */
  acknowledged = 0
  private device: Device | undefined
  private server: number
  private place = 0
  private readonly endpoints = new Map<string, string>()
  private readonly servers: readonly GroupServer[]
  private readonly paired: Paired
  private readonly planned: Pick<PlannedDevice, 'window' | 'moves'>
  constructor(
    servers: readonly GroupServer[],
    paired: Paired,
    planned: Pick<PlannedDevice, 'window' | 'moves'>,
    first: number,
  ) {
    this.servers = servers
    this.paired = paired
    this.planned = planned
    this.server = first
  }

  /** Sends values in this order, as many at once as its window has; ends when all are acknowledged. */
  async send(values: readonly (Sent | Raised)[]) {
    for (let from = 0; from < values.length; from += this.planned.window) {
      const batch = values.slice(from, from + this.planned.window)
      const move = this.planned.moves.find(
        ({ place }) => place >= this.place && place < this.place + batch.length,
      )
      await this.sendBatch(batch, move)
      this.place += batch.length
    }
  }

  private async sendBatch(
    batch: readonly (Sent | Raised)[],
    move: PlannedDevice['moves'][number] | undefined,
  ) {
    let left = batch
    if (move?.kind === 'inOrder') {
      await this.reconnect()
    }
    if (move?.kind === 'cut' || move?.kind === 'taken') left = await this.moveWith(left, move)
    while (left.length > 0) {
      if (this.device?.client.connected !== true) await this.reconnect()
      left = await this.attempt(left)
    }
  }

  /** Moves while values are under way; returns those that were not acknowledged. */
  private async moveWith(
    batch: readonly (Sent | Raised)[],
    { kind, afterMs }: PlannedDevice['moves'][number],
  ): Promise<readonly (Sent | Raised)[]> {
    const before = this.device
    const sending = this.attempt(batch)
    await pause(afterMs)
    if (kind === 'cut') before?.client.stream.destroy()
    await this.connectToOther()
    await before?.close()
    return sending
  }

  /** Sends all at once; returns those that were not acknowledged. */
  private async attempt(batch: readonly (Sent | Raised)[]): Promise<readonly (Sent | Raised)[]> {
    const { device } = this
    if (!device) return batch
    const settled = await Promise.allSettled(
      batch.map((one) =>
        'alarm' in one
          ? raise(device, one)
          : device.send(this.endpoints.get(one.tag) ?? '', one.v, new Date(one.t)),
      ),
    )
    const left = batch.filter((_, index) => settled[index]?.status === 'rejected')
    this.acknowledged += batch.length - left.length
    return left
  }

  private async reconnect() {
    await this.device?.close()
    await this.connectToOther()
  }

  /** Connects to the other server; where that one is away, the next attempt is to the one of now again. */
  private connectToOther() {
    return this.connect((this.server + 1) % this.servers.length).catch(() => pause(500))
  }

  /** Connects to a server. */
  async connect(server: number) {
    this.server = server
    const broker = `mqtts://localhost:${this.servers[server]?.mqttPort}`
    const device = await connectDevice({ ...this.paired, broker })
    device.client.on('error', () => undefined) // it is cut off on purpose
    for (const tag of ['double', 'integer']) {
      const leaf = await device.leafOf(`tag.${tag}`)
      this.endpoints.set(tag, leaf?.mapping?.device_endpoint ?? '')
    }
    this.device = device
  }

  close() {
    return this.device?.close()
  }
}

function raise(device: Device, { alarm, t }: Raised) {
  const at = new Date(t)
  const v = { name: alarm, desc: alarm, tag: '', sev: 3, state: 3, v_d: 1, evTs: at, ts: at }
  return device.publish(
    '/com.corvina.control.pub.DeviceAlarm/a',
    Buffer.from(serialize({ v, t: at })),
  )
}
