import { type Person, tokensByHttp } from './calls.ts'

const phone = { client_id: 'nextel-mobile-app', redirect_uri: 'https://localhost/callback' }

/** Fields of an alarm that the mobile app reads as numbers: it fails on a null, and on fractions in whole ones. */
type MobileAlarm = {
  id: string
  deviceId: string
  description: string
  severity: number
  updatedAt: number
  eventTimestamp: number
  value_double?: number
}
type Found = {
  number: number
  totalElements: number
  totalPages: number
  last: boolean
  data: MobileAlarm[]
}

/**
 * Alarms as the mobile app asks for them: signed in without an organization, with a permission ticket for one,
 * and the text of its request as it writes it.
 */
export async function openMobileApp(url: string, person: Person) {
  const { access_token } = await tokensByHttp(url, person, 'openid profile', phone)
  const ticket = await fetch(
    `${url}/auth/realms/${person.organization}/protocol/openid-connect/token`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: 'corvina-platform',
        permission: person.organization,
        client_id: phone.client_id,
      }),
    },
  )
  const permission = (await ticket.json()) as { access_token: string }
  return async (body: string) => {
    const answer = await fetch(`${url}/svc/platform/api/v1/alarms/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${permission.access_token}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body,
    })
    return { status: answer.status, found: (await answer.json()) as Found }
  }
}

/** Request that the app makes every two seconds, and on the page of an organization, with its blanks. */
export const openAlarmsText = (organization: string) =>
  '{"data":"(status != \\"CLEARED\\" and ( status == \\"ACTIVE\\" or ack == \\"REQUIRED\\" or reset == \\"REQUIRED\\" ) )", ' +
  `"orderDir":"asc", "page":0, "scopedOrganization":"${organization}"}`

/** All alarms, newest first, by an expression that every text fits. */
export const allAlarmsText = (organization: string) =>
  '{"data":"status ~= \\".*\\"","orderBy":"updatedAt","orderDir":"desc","page":0,"pageSize":10,' +
  `"scopedOrganization":"${organization}"}`
