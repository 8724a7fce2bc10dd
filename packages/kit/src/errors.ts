import type { Contract } from './contract.ts'

/**
 * What a service throws on purpose. `code` is stable and is the portal's translation key;
 * `details.message`, where given, tells a person what was wrong and the way out.
 * Anything else that is thrown is a bug: a 500 whose text never leaves the server.
 */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, details: Record<string, unknown> = {}) {
    super(`${code} ${JSON.stringify(details)}`)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** An error the contract names. The contract also knows its HTTP status. */
export const failure = <C extends Contract>(
  contract: C,
  error: keyof C['errors'] & string,
  details?: Record<string, unknown>,
) => new AppError(contract.errors[error] ?? 500, `${contract.service}.${error}`, details)
