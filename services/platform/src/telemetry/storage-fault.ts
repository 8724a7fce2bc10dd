import { AppError, failure } from '@longreach/kit/errors'
import { TelemetryError } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'

/** Runs work on the store, with its errors as those of the contract. */
export async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof TelemetryError) {
      throw failure(platformContract, 'storage_unavailable', { message: error.message })
    }
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw failure(platformContract, 'query_timeout', {
        message:
          'the answer took longer than queryTimeout; ask for a shorter range or fewer devices, or allow more time',
        field: 'queryTimeout',
      })
    }
    throw error
  }
}
