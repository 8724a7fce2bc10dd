import { createHash } from 'node:crypto'
import type { Context } from 'oidc-provider'

/**
 * Headers for the page that posts an authorization response to the client: it may run its own script
 * only, loads nothing, is shown in no frame and is not cached.
 */
export async function protectFormPost(ctx: Context, next: () => Promise<void>) {
  await next()
  const page: unknown = ctx.body
  if (typeof page !== 'string' || ctx.oidc?.params?.['response_mode'] !== 'form_post') return
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  if (scripts.length === 0) return
  const rules = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  ctx.set('content-security-policy', rules.join('; '))
  ctx.set('x-frame-options', 'DENY')
  ctx.set('referrer-policy', 'no-referrer')
  ctx.set('cache-control', 'no-store')
}
