// Runs code of each line of standard input on go-ethereum's EVM and prints Mgas a second of processor time.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"
)

type work struct {
	Code    string  `json:"code"`
	Input   string  `json:"input"`
	Gas     uint64  `json:"gas"`
	Osaka   bool    `json:"osaka"`
	Seconds float64 `json:"seconds"`
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func rate(w work) float64 {
	code, input := common.FromHex(w.Code), common.FromHex(w.Input)
	chain := *params.MergedTestChainConfig
	if !w.Osaka {
		chain.OsakaTime = nil
	}
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		panic(err)
	}
	address := common.HexToAddress("0xc0de")
	db.SetCode(address, code, tracing.CodeChangeUnspecified)
	call := func() uint64 {
		_, left, err := runtime.Call(address, input, &runtime.Config{ChainConfig: &chain, GasLimit: w.Gas, State: db})
		if err != nil {
			panic(fmt.Sprintf("%v for input %s", err, hex.EncodeToString(input[:32])))
		}
		return w.Gas - left
	}
	call()
	started, from := time.Now(), cpu()
	var gas uint64
	for time.Since(started).Seconds() < w.Seconds {
		gas += call()
	}
	return float64(gas) / float64((cpu() - from).Microseconds())
}

func main() {
	debug.SetGCPercent(400)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var w work
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			panic(err)
		}
		fmt.Println(rate(w))
	}
}
