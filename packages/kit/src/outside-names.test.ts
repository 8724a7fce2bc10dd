import { createSocket } from 'node:dgram'
import { expect, onTestFinished, test } from 'vitest'
import { createNameLookup } from './outside-names.ts'

const v4 = 1
const v6 = 28

/** DNS server that answers by name and type; without an answer there is no such name, null is silence. */
async function startDns(answerOf: (name: string, type: number) => Buffer | null | undefined) {
  const server = createSocket('udp4')
  const asked: string[] = []
  server.on('message', (query, from) => {
    let at = 12
    const labels: string[] = []
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const type = query.readUInt16BE(at + 1)
    asked.push(labels.join('.'))
    const data = answerOf(labels.join('.'), type)
    if (data === null) return
    const head = Buffer.from(query.subarray(0, at + 5))
    head.writeUInt16BE(data ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(data ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    // A pointer to the name, type, class, seconds to live, length.
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data?.length ?? 0])
    server.send(data ? Buffer.concat([head, record, data]) : head, from.port, from.address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  return { servers: [`127.0.0.1:${server.address().port}`], asked }
}

const never = () => Promise.reject(new Error('the system was asked'))

test('all addresses of a name are found, of both families', async () => {
  const { servers } = await startDns((_, type) =>
    type === v4
      ? Buffer.from([203, 0, 113, 7])
      : Buffer.from('20010db8000000000000000000000007', 'hex'),
  )
  const find = createNameLookup({ servers, system: never })
  expect(await find('two.example.com')).toEqual([
    { address: '203.0.113.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ])
})

test('a name with one family is found; each look-up asks anew', async () => {
  const { servers, asked } = await startDns((_, type) =>
    type === v6 ? undefined : Buffer.from([203, 0, 113, asked.length]),
  )
  const find = createNameLookup({ servers, system: never })
  const [first, second] = [await find('one.example.com'), await find('one.example.com')]
  expect([first, second]).toMatchObject([[{ family: 4 }], [{ family: 4 }]])
  expect(second).not.toEqual(first)
})

test('a name that DNS does not know is asked of the system', async () => {
  const { servers } = await startDns(() => undefined)
  const known = [{ address: '10.1.2.3', family: 4 }]
  const find = createNameLookup({
    servers,
    system: (name) => Promise.resolve(name === 'plant' ? known : []),
  })
  expect(await find('plant')).toEqual(known)
})

test('a silent server is not asked by the system again, which would hold a thread', async () => {
  const { servers } = await startDns(() => null)
  const find = createNameLookup({ servers, timeoutMs: 300, system: never })
  await expect(find('slow.example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})
