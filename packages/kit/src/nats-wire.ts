import type { FabricLog } from './fabric-log.ts'
import type { Wire, WireLink } from './fabric-wire.ts'
import { type Link, openLink } from './nats-link.ts'
import type { NatsSettings } from './nats-settings.ts'

type Options = { settings: NatsSettings; instance: string; log: FabricLog }

/**
 * Wire over NATS core, without JetStream. Live frames have a connection of their own, because a
 * server closes a connection that does not take what it sends. Without a reachable server it starts
 * all the same, and connects when there is one.
 */
export async function openNatsWire({ settings, instance, log }: Options): Promise<Wire> {
  const open = (name: WireLink['name']) => openLink({ settings, instance, name, log })
  const links = { calls: open('calls'), live: open('live') }
  const of = (live: boolean): Link => (live ? links.live : links.calls)
  await Promise.all([links.calls.tried, links.live.tried])
  return {
    ask: (subject, frame, withinMs) => links.calls.request(subject, frame, withinMs),
    answer: (subject, take) =>
      links.calls.subscribe(subject, ({ data, reply }) => {
        // A reply that cannot be sent is late for its caller, who may repeat the call.
        if (reply) void take(data).then((frame) => links.calls.publish(reply, frame))
      }).drain,
    tell: ({ subject, live }, frame) => of(live).publish(subject, frame),
    hear({ subject, live }, take) {
      const isFamily = subject.includes('*')
      // The client decodes the name of a message when it is asked for; one subject's name is known.
      return of(live).subscribe(subject, (msg) => take(msg.data, isFamily ? msg.subject : subject))
        .stop
    },
    async subscribed() {
      await Promise.all([links.calls.subscribed(), links.live.subscribed()])
    },
    links: () => [
      { name: 'calls', server: links.calls.server() },
      { name: 'live', server: links.live.server() },
    ],
    async close() {
      await Promise.all([links.calls.close(), links.live.close()])
    },
  }
}
