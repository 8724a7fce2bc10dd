import type { ClientRow } from './client-store.ts'
import { findClient, secretFits } from './client-store.ts'
import type { Call } from '../realms/realm-call.ts'

type Presented = { clientId: string; secret: string }

/**
 * Client id and secret of a request: by HTTP Basic (each part form-encoded, RFC 6749 2.3.1) or as form
 * fields. Undefined when one is missing or both ways are used at once.
 */
function presentedClient({
  request,
  field,
}: Pick<Call, 'request' | 'field'>): Presented | undefined {
  const basic = /^Basic ([A-Za-z0-9+/=]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1]
  const [formId, formSecret] = [field('client_id'), field('client_secret')]
  if (basic === undefined) {
    if (request.headers.authorization !== undefined) return undefined
    return formId && formSecret ? { clientId: formId, secret: formSecret } : undefined
  }
  if (formSecret !== undefined) return undefined
  const presented = parseBasic(basic)
  return formId === undefined || formId === presented?.clientId ? presented : undefined
}

function parseBasic(basic: string): Presented | undefined {
  const text = Buffer.from(basic, 'base64').toString()
  const colon = text.indexOf(':')
  const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(decoded)
  return colon > 0 && clientId && secret ? { clientId, secret } : undefined
}

function decoded(part: string) {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined // not form-encoded: it names no client
  }
}

/** Client that authenticates with its secret; undefined for an unknown client as for a wrong secret. */
export async function authenticatedClient(call: Call): Promise<ClientRow | undefined> {
  const { deps, realm } = call
  const presented = presentedClient(call)
  if (!presented || presented.clientId.length > 300) return undefined
  const client = await findClient(deps.db, realm.name, presented.clientId)
  return client && secretFits(deps.secrets, client, presented.secret) ? client : undefined
}
