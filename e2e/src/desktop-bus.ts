import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type BusMessage, busMessage, readMessages, type Written } from './bus-wire.ts'

/** Notification as a desktop shows it; one that replaces another has its id. */
type Shown = {
  id: number
  title: string
  body: string
  replaces: number
  actions: string[]
}

/** The bus itself, and the desktop's service of notifications, by their names on the bus. */
const [bus, desktop] = ['org.freedesktop.DBus', 'org.freedesktop.Notifications']
/** Name of the connection that the desktop's service has. */
const desktopAt = ':1.1'
const desktopPath = '/org/freedesktop/Notifications'
/** Reason of an end that a program asked for, as the Desktop Notifications Specification numbers it. */
const byCall = 3

/**
 * Session bus with a desktop that shows notifications, for one browser: it speaks as much of D-Bus 0.43 and of the
 * Desktop Notifications Specification 1.2 as Chromium on Linux asks for.
 */
export async function startDesktop() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-desktop-'))
  const socketFile = path.join(folder, 'bus')
  const sockets = new Set<Socket>()
  const shown: Shown[] = []
  const closed: number[] = []
  let serial = 0
  const send = (socket: Socket, message: Omit<Parameters<typeof busMessage>[0], 'serial'>) =>
    socket.write(busMessage({ ...message, serial: (serial += 1) }))
  const signal = (member: string, values: Written[]) => {
    const head = { type: 'signal' as const, path: desktopPath, interface: desktop, member }
    for (const socket of sockets) send(socket, { ...head, sender: desktopAt, values })
  }

  /** Values that answer a call; undefined for one that is not known. */
  function answerOf({ destination, member, values }: BusMessage): Written[] | undefined {
    if (destination === bus) return answerOfBus(member, values)
    if (destination !== desktop) return undefined
    if (member === 'GetCapabilities') return [['as', ['actions', 'body']]]
    if (member === 'GetServerInformation')
      return ['desktop', 'test', '1', '1.2'].map((text) => ['s', text])
    if (member === 'Notify') return [['u', show(values)]]
    if (member !== 'CloseNotification') return undefined
    const id = Number(values[0])
    closed.push(id)
    signal('NotificationClosed', [
      ['u', id],
      ['u', byCall],
    ])
    return []
  }

  function show([, replaces = 0, , title = '', body = '', actions = []]: unknown[]) {
    const id = Number(replaces) || shown.length + 1
    const texts = actions as string[]
    shown.push({
      id,
      title: String(title),
      body: String(body),
      replaces: Number(replaces),
      actions: texts,
    })
    return id
  }

  function hear(socket: Socket, message: BusMessage) {
    if (message.type !== 'call' || message.needsNoAnswer) return
    const values = answerOf(message)
    const sender = message.destination === desktop ? desktopAt : bus
    const replyTo = message.serial
    if (values) send(socket, { type: 'return', replyTo, sender, values })
    else {
      const error = `${bus}.Error.ServiceUnknown`
      send(socket, { type: 'error', replyTo, sender, error, values: [['s', message.member]] })
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A browser that ends leaves its connection as it is.
    socket.on('error', () => socket.destroy())
    readMessages(socket, (message) => hear(socket, message))
  })
  await new Promise<void>((resolve) => server.listen(socketFile, resolve))
  return {
    /** Environment of a browser that shows its notifications here. */
    env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socketFile}` },
    shown,
    closed,
    /** A person clicks on a notification. */
    click: (id: number) =>
      signal('ActionInvoked', [
        ['u', id],
        ['s', 'default'],
      ]),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Answers of the bus to its own calls: there is nobody on it but the browser and the desktop. */
function answerOfBus(member: string, [name]: unknown[]): Written[] | undefined {
  const owner = { [bus]: bus, [desktop]: desktopAt }[String(name)]
  const answers: Record<string, Written[] | undefined> = {
    Hello: [['s', ':1.2']],
    NameHasOwner: [['b', owner !== undefined]],
    GetNameOwner: owner === undefined ? undefined : [['s', owner]],
    AddMatch: [],
    RemoveMatch: [],
    ListNames: [['as', [bus, desktop]]],
    ListActivatableNames: [['as', [bus, desktop]]],
    StartServiceByName: owner === undefined ? undefined : [['u', 2]],
  }
  return answers[member]
}
