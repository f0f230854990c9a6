// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

struct Unit {
    string denom;
    uint32 exponent;
    string[] aliases;
}

struct Metadata {
    string description;
    Unit[] denomUnits;
    string base;
    string display;
    string name;
    string symbol;
}

interface IBank {
    function balance(address acc, string memory denom) external view returns (uint256 amount);
    function supply(string memory denom) external view returns (uint256 amount);
    function name(string memory denom) external view returns (string memory response);
    function symbol(string memory denom) external view returns (string memory response);
    function denomMetadata(string memory denom) external view returns (Metadata memory metadata);
    function send(address fromAddress, address toAddress, string memory denom, uint256 amount)
        external
        returns (bool success);
}

/// The pointer of a bank denomination: an ERC-20 token whose balances are the ledger's own. It is put into the state
/// without a constructor: the chain writes `denom`. Errors are those of ERC-6093.
contract NativeToken {
    IBank private constant BANK = IBank(0x0000000000000000000000000000000000001001);

    string public denom;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);
    error ERC20InvalidReceiver(address receiver);
    error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    error ERC20InvalidSpender(address spender);

    function name() external view returns (string memory) {
        return BANK.name(denom);
    }

    function symbol() external view returns (string memory) {
        return BANK.symbol(denom);
    }

    /// The largest exponent of the metadata that fits; the bank itself counts whole units alone.
    function decimals() external view returns (uint8 largest) {
        Unit[] memory units = BANK.denomMetadata(denom).denomUnits;
        for (uint256 i = 0; i < units.length; i++) {
            uint32 exponent = units[i].exponent;
            if (exponent > largest && exponent <= type(uint8).max) largest = uint8(exponent);
        }
    }

    function totalSupply() external view returns (uint256) {
        return BANK.supply(denom);
    }

    function balanceOf(address account) external view returns (uint256) {
        return BANK.balance(account, denom);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (spender == address(0)) revert ERC20InvalidSpender(spender);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// The largest allowance there is does not shrink.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert ERC20InsufficientAllowance(msg.sender, allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        if (to == address(0)) revert ERC20InvalidReceiver(to);
        string memory coin = denom;
        uint256 held = BANK.balance(from, coin);
        if (held < value) revert ERC20InsufficientBalance(from, held, value);
        require(BANK.send(from, to, coin, value));
        emit Transfer(from, to, value);
    }
}
