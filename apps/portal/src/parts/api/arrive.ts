import { connection } from './connection.ts'

/**
 * Brings a file of the portal, and waits for the server where it is away, so that a page or dialog
 * that was opened meanwhile comes by itself. A file that a reachable server does not give is a failure.
 */
export async function arrive<T>(load: () => Promise<T>): Promise<T> {
  for (let refused = 0; ;) {
    try {
      return await load()
    } catch (cause) {
      if ((await connection.prove()) && ++refused > 1) throw cause
      await connection.whenReachable()
      await askForStylesAgain()
    }
  }
}

/** The bundler asks for each stylesheet once: those that failed are put into the page anew. */
async function askForStylesAgain() {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  const failed = links.filter(({ sheet }) => sheet === null)
  await Promise.all(
    failed.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement
      const settled = new Promise<void>((resolve) => {
        again.addEventListener('load', () => resolve())
        again.addEventListener('error', () => resolve()) // the page shows without it
      })
      link.replaceWith(again)
      return settled
    }),
  )
}
