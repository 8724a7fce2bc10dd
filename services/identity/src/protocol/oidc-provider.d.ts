// The part of oidc-provider 9.13 that this service uses; the package brings no types of its own.
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type CookieOptions = {
    path?: string
    signed?: boolean
    httpOnly?: boolean
    sameSite?: 'lax' | 'strict' | 'none'
    secure?: boolean
    overwrite?: boolean
    maxAge?: number
    expires?: Date
  }

  export type Client = { clientId: string }

  export class Model {
    jti: string
    kind: string
    exp?: number
    iat?: number
    uid: string
    accountId?: string
    clientId?: string
    grantId?: string
    sid?: string
    scope?: string
    nonce?: string
    authTime?: number
    amr?: string[]
    acr?: string
    sessionUid?: string
    loginTs?: number
    consumed?: number | true
    authorizations?: Record<string, { grantId?: string }>
    save(ttl?: number): Promise<string>
    destroy(): Promise<void>
    getValueAndPayload(): Promise<{ value: string; payload: Record<string, unknown> }>
  }

  export class Session extends Model {
    acr?: string
    sidFor(clientId: string, value?: string): string | undefined
    grantIdFor(clientId: string): string | undefined
    ensureClientContainer(clientId: string): void
    loginAccount(facts: { accountId: string; amr: string[]; acr: string }): void
  }

  export class Grant extends Model {
    constructor(facts: { accountId: string; clientId: string })
    addOIDCScope(scope: string): void
    addOIDCClaims(claims: string[]): void
    addResourceScope(resource: string, scope: string): void
  }

  export class Interaction extends Model {
    returnTo: string
    exp: number
    params: Record<string, unknown>
    prompt: { name: string; reasons: readonly string[] }
    session?: { uid: string; accountId: string } | undefined
    result?: Record<string, unknown>
  }

  export type OidcContext = {
    result?: Record<string, unknown> | undefined
    prompts: Set<string>
    params?: Record<string, string | undefined>
    client: Client
    account?: { accountId: string } | undefined
    session?: Session
    entities: Partial<Record<'AuthorizationCode' | 'RefreshToken' | 'Account', Model>>
    resourceServers: Record<string, { scopes: Set<string> }>
    requestParamScopes: Set<string>
    requestParamClaims: Set<string>
    responseMode: string | undefined
  }

  export type Context = {
    oidc: OidcContext
    req: IncomingMessage
    res: ServerResponse
    secure: boolean
    status: number
    type: string
    body: unknown
    response: { get(name: string): string | undefined }
    cookies: {
      secure: boolean
      get(name: string, options?: CookieOptions): string | undefined
      set(name: string, value: string | null, options?: CookieOptions): void
    }
    set(name: string, value: string): void
    remove(name: string): void
  }

  type Find<M> = { find(value: string, options?: object): Promise<M | undefined>; prototype: M }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object)
    /** The request that is being answered. */
    static readonly ctx: Context | undefined
    readonly issuer: string
    proxy: boolean
    Session: Find<Session> & (new () => Session) & { get(ctx: Context): Promise<Session> }
    Grant: Find<Grant> & (new (facts: { accountId: string; clientId: string }) => Grant)
    AuthorizationCode: Find<Model>
    RefreshToken: Find<Model>
    Client: Find<Client> & {
      prototype: { includeSid(): boolean; redirectUriAllowed(value: string): boolean }
    }
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    createContext(request: IncomingMessage, response: ServerResponse): Context
    cookieName(kind: 'session' | 'interaction' | 'resume'): string
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
  }

  export const errors: Record<
    'AccessDenied' | 'InvalidGrant' | 'InvalidRequest' | 'SessionNotFound',
    new (description: string) => Error
  >
  export type Check = { reason: string }
  export const interactionPolicy: {
    Check: new (
      reason: string,
      description: string,
      error: string,
      check: (ctx: Context) => boolean | Promise<boolean>,
    ) => Check
    base(): {
      remove(name: string): void
      get(name: 'login'): { checks: { add(check: Check): void } }
    }
  }
}
