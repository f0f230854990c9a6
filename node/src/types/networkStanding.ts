/** How a node stands to the others of its network. */
export interface NetworkStanding {
  /** It is behind them, and takes their blocks until it is not. */
  readonly catchingUp: boolean;
  /** With which it is connected. */
  readonly peers: number;
}
