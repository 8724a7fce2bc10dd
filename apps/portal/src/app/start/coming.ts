let coming: Promise<unknown> = Promise.resolve()

/** What the first page needs is on the way; whoever can wait lets it pass. */
export function comes(files: Promise<unknown>) {
  coming = files.catch(() => undefined) // told where it is needed
}

/** Once the files of the first page are here, or did not come. */
export const firstPageIsHere = () => coming
