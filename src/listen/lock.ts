/** Takes a folder for this process alone; gives the way to release it. Throws ReconError `locked`. */
export type Lock = (folder: string) => Promise<() => Promise<void>>;
