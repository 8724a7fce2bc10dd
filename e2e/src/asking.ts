import { type Calls, signInByHttp, tokensByHttp } from './calls.ts'
import { type DemoFile } from './longreach.ts'

export type Person = DemoFile['people'][number]

/** Answer of the server with any status. */
export type Answer = { status: number; code: string; text: string; json: <T>() => T }
/** A call that takes every answer as it comes, to paths below `/svc/`. */
export type Ask = (
  method: string,
  path: string,
  sent?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** Calls with some headers, such as a credential, and no other. */
export const asker =
  (url: string, own: Record<string, string> = {}): Ask =>
  async (method, path, sent, headers = {}) => {
    const response = await fetch(`${url}/svc/${path}`, {
      method,
      headers: {
        ...own,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    return answerOf(response)
  }

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const code = response.ok ? '' : (/"code":"([^"]*)"/.exec(text)?.[1] ?? '')
  return { status: response.status, code, text, json: <T>() => JSON.parse(text) as T }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const goodForMs = 120_000

/** Somebody with a session: their calls, by a token that is never old, and what their first tokens are. */
export async function enter(url: string, person: Person) {
  const tokens = await tokensByHttp(url, person)
  let fresh = Promise.resolve(tokens)
  let until = Date.now() + goodForMs
  const ask: Ask = async (...call) => {
    if (Date.now() > until) {
      until = Date.now() + goodForMs
      fresh = tokensByHttp(url, person)
    }
    const { access_token: token = tokens.access_token } = await fresh // none, for who may not sign in any more
    return asker(url, bearer(token))(...call)
  }
  return { ...tokens, ask }
}

type Joining = { organization: string; username: string; roles: readonly string[] }

/** A new person of an organization with roles of these names; `as` may do that. */
export async function join(as: Calls, { organization, username, roles }: Joining) {
  const org = `core/api/v1/organizations/${organization}`
  const known = await as<{ content: { id: number; name: string }[] }>(
    'GET',
    `${org}/roles?pageSize=500`,
  )
  const rolesId = roles.map((name) => {
    const role = known.content.find((one) => one.name === name)
    if (!role) throw new Error(`No role ${name} in ${organization}`)
    return role.id
  })
  const password = 'a long pass phrase 7'
  const body = { username, password, rolesId }
  const { id } = await as<{ id: number }>('POST', `${org}/users`, body)
  return { id, username, password, organization }
}

/** Makes a new person and signs them in. */
export async function addSignedInPerson(url: string, by: Person, joining: Joining) {
  const person = await join(await signInByHttp(url, by), joining)
  return { ...person, ...(await enter(url, person)) }
}
