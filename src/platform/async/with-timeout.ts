/** Settles as `work` does, or rejects with the given error at the timeout. The work itself is not stopped. */
export async function withTimeout<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
