import { expect, test } from 'vitest'
import {
  grantedByTicket,
  grantedIn,
  permissionsOfTicket,
  ticketHolder,
} from './permission-ticket.ts'

const ticketOf = (payload: object) =>
  `x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.y`

function exchanging() {
  const asked: Record<string, string>[] = []
  const clock = { now: 1_000_000, status: 200 }
  const holder = ticketHolder(
    async (form) => {
      asked.push(Object.fromEntries(form))
      const body = { access_token: `ticket ${asked.length}`, expires_in: 300 }
      return Response.json(body, { status: clock.status })
    },
    () => clock.now,
  )
  return { asked, clock, holder }
}

test('the exchange names grant, audience and permission, and answers when it ends [A-01] [C-05] [E-02] [N-03]', async () => {
  const { asked, clock, holder } = exchanging()
  expect(await holder.get('nordwerk.press')).toEqual({
    access_token: 'ticket 1',
    expires_in: 300,
    expire: clock.now + 300_000,
  })
  expect(asked).toEqual([
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'corvina-platform',
      permission: 'nordwerk.press',
    },
  ])
})

test('a ticket is reused while 30 s remain [T-10]', async () => {
  const { clock, holder } = exchanging()
  await holder.get('nordwerk')
  clock.now += 270_000
  expect((await holder.get('nordwerk')).access_token).toBe('ticket 1')
  clock.now += 1
  expect((await holder.get('nordwerk')).access_token).toBe('ticket 2')
})

test('another permission drops the ticket, and a fresh one can be forced [T-10]', async () => {
  const { holder } = exchanging()
  await holder.get('nordwerk')
  expect((await holder.get('acqua')).access_token).toBe('ticket 2')
  expect((await holder.get('nordwerk')).access_token).toBe('ticket 3')
  expect((await holder.get('nordwerk', { force: true })).access_token).toBe('ticket 4')
})

test('a failed exchange clears the ticket and is thrown on [X-03]', async () => {
  const { asked, clock, holder } = exchanging()
  await holder.get('nordwerk')
  clock.status = 403
  await expect(holder.get('nordwerk', { force: true })).rejects.toThrow('403')
  clock.status = 200
  await holder.get('nordwerk')
  expect(asked).toHaveLength(3)
})

test('the permissions of a ticket are read for its organization, of a broken one none [X-03] [A-01]', () => {
  const permissions = [{ rsname: 'nordwerk', scopes: ['iam.devices.read', 'iam.nothing.known'] }]
  const ticket = ticketOf({ name: 'Jürgen', authorization: { permissions } })
  expect(permissionsOfTicket(ticket, 'nordwerk')).toEqual(['devices:read'])
  expect(permissionsOfTicket(ticket, 'acqua')).toEqual([])
  for (const broken of ['', 'a.b.c', 'x', ticketOf({ authorization: 7 })]) {
    expect(permissionsOfTicket(broken, 'nordwerk')).toEqual([])
  }
})

test('permissions in the access token are used as they are; a token without any is exchanged', async () => {
  const claimsOf = (...scopes: string[]) => ({
    authorization: { permissions: [{ rsname: 'nordwerk', scopes }] },
  })
  const asked: (string | null)[] = []
  const exchange = async (form: URLSearchParams) => {
    asked.push(form.get('permission'))
    const access_token = ticketOf(claimsOf('iam.portal.access'))
    return Response.json({ access_token, expires_in: 300 })
  }
  expect(await grantedIn(claimsOf('iam.devices.read'), 'nordwerk', ticketHolder(exchange))).toEqual(
    ['devices:read'],
  )
  expect(asked).toEqual([])
  for (const claims of [undefined, {}, { sub: 'a', scope: 'openid' }]) {
    expect(await grantedIn(claims, 'nordwerk', ticketHolder(exchange))).toEqual(['portal:access'])
  }
  expect(asked).toEqual(['nordwerk', 'nordwerk', 'nordwerk'])
  const shared = ticketHolder(exchange)
  await grantedIn({}, 'nordwerk', shared)
  await grantedByTicket('nordwerk', shared)
  expect(asked).toHaveLength(4)
  await grantedByTicket('nordwerk', shared, { force: true })
  expect(asked).toHaveLength(5)
})

test('who is denied the ticket may do nothing; any other trouble with it is told [X-03]', async () => {
  const refusing = (status: number) => async () => Response.json({}, { status })
  expect(await grantedIn({}, 'nordwerk', ticketHolder(refusing(403)))).toEqual([])
  for (const status of [401, 429, 503]) {
    await expect(grantedIn({}, 'nordwerk', ticketHolder(refusing(status)))).rejects.toThrow(
      String(status),
    )
  }
})
