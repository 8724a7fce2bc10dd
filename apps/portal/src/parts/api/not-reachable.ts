/** Thrown by a call that the server never answered. */
export class NotReachable extends Error {
  constructor() {
    super('The server was not reached')
  }
}
