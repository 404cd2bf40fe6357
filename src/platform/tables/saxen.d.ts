/** The used part of a package that has no type declarations. */
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', listener: (name: string, attributes: () => Record<string, string>) => void): this
    on(event: 'closeTag' | 'text' | 'cdata' | 'attention' | 'comment', listener: (text: string) => void): this
    on(event: 'error' | 'warn', listener: (error: Error) => void): this
    write(xml: string): this
    end(): Error | null
  }
}
